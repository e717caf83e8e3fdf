import { reasonOf, rootCause } from '@taproom/core/lines'
import { readBody } from '@taproom/http'
import type { TokenEndpoint } from './kafka-security.ts'

/** Shorter than a channel's attempt to connect, so that the reason is known when that fails. */
const TIMEOUT_MS = 3000
const MAX_ANSWER_BYTES = 64 * 1024
/** A token is replaced when a fifth of its life is left, and at least this: kafkajs authenticates anew 10 s before the end. */
const LEAST_LEFT_MS = 15_000

/** No token was to be had; the message has no secrets. */
export class TokenError extends Error {
  override readonly name = 'TokenError'
}

interface Deps {
  /** Default: the global one. */
  readonly request?: typeof fetch
  readonly now?: () => number
}

/** Tokens for connections. */
export interface TokenSource {
  token(): Promise<string>
  /** The next connection gets another token: Kafka refused the last one. */
  forget(): void
}

/**
 * Asks for tokens with client credentials (RFC 6749, 4.4), within 3 s and 64 KiB, without following redirects. A token is kept until shortly
 * before it expires; without `expires_in` it is for one connection. Connections that are made at once share one request.
 */
export function createTokenSource(endpoint: TokenEndpoint, deps: Deps = {}): TokenSource {
  const { now = Date.now } = deps
  let cached: { readonly token: string; readonly renewAtMs: number } | undefined
  let asking: Promise<string> | undefined

  async function ask(): Promise<string> {
    const askedAtMs = now()
    const { token, livesMs } = await fetchToken(endpoint, deps.request ?? fetch)
    cached = { token, renewAtMs: askedAtMs + livesMs - Math.max(livesMs / 5, LEAST_LEFT_MS) }
    return token
  }

  return {
    token() {
      if (cached !== undefined && now() < cached.renewAtMs) return Promise.resolve(cached.token)
      asking ??= ask().finally(() => {
        asking = undefined
      })
      return asking
    },
    forget() {
      cached = undefined
    },
  }
}

async function fetchToken(endpoint: TokenEndpoint, request: typeof fetch) {
  const { origin, pathname } = new URL(endpoint.url)
  const target = `token endpoint ${origin}${pathname}`
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await request(endpoint.url, { ...tokenRequest(endpoint), signal })
    const body = await readBody(response.body, MAX_ANSWER_BYTES)
    if (body === undefined) throw new TokenError(`${target}: the answer is larger than ${MAX_ANSWER_BYTES} bytes`)
    const answer = parseObject(body)
    if (response.status !== 200) throw new TokenError(`${target}: status ${response.status}${errorCode(answer)}`)
    return { token: tokenOf(answer, target), livesMs: livesMs(answer) }
  } catch (cause) {
    if (cause instanceof TokenError) throw cause
    if (signal.aborted) throw new TokenError(`${target}: no answer within ${TIMEOUT_MS} ms`)
    const root = rootCause(cause)
    throw new TokenError(`${target}: ${root instanceof Error && 'code' in root ? root.code : reasonOf(root)}`)
  }
}

/** Id and secret are written as form fields before they are joined (RFC 6749, 2.3.1). */
function tokenRequest({ clientId, clientSecret, scope }: TokenEndpoint): RequestInit {
  const credentials = [clientId, clientSecret]
    .map((text) => new URLSearchParams({ '': text }).toString().slice(1))
    .join(':')
  return {
    method: 'POST',
    redirect: 'error',
    headers: { accept: 'application/json', authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) }),
  }
}

function parseObject(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** RFC 6749, 5.2; nothing else of the answer is shown, because it might repeat what it was sent. */
const ERROR_CODES: readonly unknown[] = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
]

function errorCode({ error }: Readonly<Record<string, unknown>>): string {
  return ERROR_CODES.includes(error) ? `, ${error}` : ''
}

/** RFC 6750, 2.1: nothing in it can end the message that carries it. */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/

function tokenOf({ access_token: token }: Readonly<Record<string, unknown>>, target: string): string {
  if (typeof token === 'string' && TOKEN.test(token)) return token
  throw new TokenError(`${target}: the answer has no access_token`)
}

function livesMs({ expires_in: seconds }: Readonly<Record<string, unknown>>): number {
  // Some send it as text.
  const ms = Number(seconds ?? 0) * 1000
  return Number.isFinite(ms) ? ms : 0
}
