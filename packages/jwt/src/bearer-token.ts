import type { IncomingMessage } from 'node:http'

/** Where tokens are expected; the other place is ignored. */
export type TokenTransport =
  | { readonly header: 'Authorization' }
  | { readonly header: 'Cookie'; readonly cookie: string }

/** One bearer token, none (also with another scheme or an empty token), or several. */
export type BearerToken =
  | { readonly kind: 'one'; readonly token: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'several' }

const SPACE = 0x20

export function readBearerToken(req: IncomingMessage, transport: TokenTransport): BearerToken {
  const tokens = transport.header === 'Cookie' ? cookieTokens(req, transport.cookie) : headerTokens(req)
  const [token] = tokens
  if (token === undefined) return { kind: 'none' }
  return tokens.length === 1 ? { kind: 'one', token } : { kind: 'several' }
}

/** Reads the raw headers, because `req.headers` keeps only the first Authorization header. */
function headerTokens({ rawHeaders }: IncomingMessage): string[] {
  const tokens: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 13 && name.toLowerCase() === 'authorization')
      tokens.push(...bearerTokens(rawHeaders[i + 1] ?? ''))
  }
  return tokens
}

/**
 * The tokens of one header: several when a proxy has joined repeated headers with commas (RFC 9110, section 5.3). A comma that is not followed by
 * `Bearer` is part of an invalid token.
 */
function bearerTokens(value: string): string[] {
  const token = bearerToken(value)
  if (token === '') return []
  if (!token.includes(',')) return [token]
  const others = token.split(',').map((part) => bearerToken(part.trim()))
  return [token, ...others.filter((other) => other !== '')]
}

/** The text after the scheme `Bearer`, in any case; '' for another scheme. */
function bearerToken(value: string): string {
  if (value.slice(0, 7).toLowerCase() !== 'bearer ') return ''
  return value.charCodeAt(7) === SPACE ? value.slice(7).replace(/^ +/, '') : value.slice(7)
}

function cookieTokens(req: IncomingMessage, name: string): string[] {
  const tokens: string[] = []
  for (const pair of (req.headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals === -1 || pair.slice(0, equals).trim() !== name) continue
    const token = withoutQuotes(pair.slice(equals + 1).trim())
    if (token !== '') tokens.push(token)
  }
  return tokens
}

/** A cookie value may be in double quotes (RFC 6265, section 4.1.1). */
function withoutQuotes(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
}
