import { JwtConfigError, TokenCheckError } from '../errors.ts'
import { fetchWhole } from '../keys/fetch-whole.ts'
import { parseObject } from '../token/signed-token.ts'

/** An answer has the claims of a token, which has less. */
const MAX_ANSWER_BYTES = 64 * 1024

/** Where to ask about tokens (RFC 7662), and as whom. */
export interface IntrospectionOptions {
  /** The endpoint: `https:`, or `http:` where nobody can listen. */
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  /**
   * Those of the verifier's issuers for which the endpoint speaks: an answer with another `iss` is refused, and JWTs of others are not
   * shown to it. Default: the only issuer; required when there are several.
   */
  readonly issuers?: readonly string[]
  /**
   * Which tokens are asked about: `opaque`, those that have not the form of a JWT; `all`, JWTs too, once they are verified. Must be `all`
   * with a decryption key, which refuses opaque tokens. Default: `opaque`.
   */
  readonly tokens?: 'opaque' | 'all'
  /** How long an answer may take, in milliseconds. Default: 2000. */
  readonly timeoutMs?: number
  /**
   * How long an answer is remembered, in seconds, and so how long a revoked token may be accepted; never beyond its `exp`. Default: 10. 0
   * turns it off.
   */
  readonly cacheSeconds?: number
}

/** What the endpoint says of an active token; undefined for one that is not. */
export type TokenFacts = Readonly<Record<string, unknown>> | undefined

/**
 * Asks about a token: one POST with basic authentication, no redirects, at most 64 KiB, within the time limit. Rejects with TokenCheckError
 * when there is no answer of status 200 that says whether the token is active.
 *
 * @throws {JwtConfigError} when the endpoint is not an http(s) URL without credentials, or the client has no name
 */
export function createAsk(
  { url: address, clientId, clientSecret }: IntrospectionOptions,
  timeoutMs: number,
  request: typeof fetch,
) {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new JwtConfigError('introspection.url', 'must be an https: or http: URL without credentials')
  }
  if (clientId === '' || clientSecret === '') {
    throw new JwtConfigError('introspection.clientId', 'and the secret of the client must be set')
  }
  const authorization = `Basic ${Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64')}`
  const target = `POST ${url.origin}${url.pathname}`

  return async (token: string, stop: AbortSignal): Promise<TokenFacts> => {
    const init = {
      method: 'POST',
      headers: { authorization, accept: 'application/json' },
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
    }
    const bounds = { timeoutMs, maxBytes: MAX_ANSWER_BYTES, stop, fetch: request, Failure: TokenCheckError }
    const { bytes } = await fetchWhole(url, init, bounds)
    return factsIn(bytes, target)
  }
}

/** An answer is never quoted: it may say anything, and repeat the token. */
function factsIn(answer: Buffer, target: string): TokenFacts {
  const facts = objectIn(answer, target)
  if (facts['active'] === true) return facts
  if (facts['active'] === false) return undefined
  throw new TokenCheckError(`${target}: the answer does not say whether the token is active`)
}

function objectIn(answer: Buffer, target: string): Readonly<Record<string, unknown>> {
  try {
    return parseObject(answer)
  } catch {
    throw new TokenCheckError(`${target}: the answer is not a JSON object`)
  }
}

/** As in forms, before they are joined by a colon (RFC 6749, section 2.3.1). */
function formEncoded(text: string): string {
  return new URLSearchParams({ text }).toString().slice('text='.length)
}
