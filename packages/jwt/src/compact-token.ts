import { Buffer } from 'node:buffer'
import { InvalidTokenError } from './errors.ts'
import type { JwtAlgorithm } from './verification-key.ts'

/** A token taken apart; nothing in it is verified yet. */
export interface CompactToken {
  /** What of the header decides how it is verified. Headers that carry or point to keys are never looked at. */
  readonly kid: string | undefined
  /** The bytes that were signed. */
  readonly signed: Buffer
  readonly signature: Buffer
  /** The claims as the token has them: only after the signature was found right. @throws InvalidTokenError unless a JSON object */
  payload(): Readonly<Record<string, unknown>>
}

/** No padding, no white space, nothing between the parts (RFC 7515, section 7.1). */
const COMPACT = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Takes a token apart if it is in strict compact form, of the algorithm, of an accepted type, and without critical headers: this package
 * understands none (RFC 7515, section 4.1.11).
 *
 * @throws InvalidTokenError with the reason `malformed`, `algorithm` or `type`
 */
export function parseCompact(token: string, algorithm: JwtAlgorithm): CompactToken {
  const [, header = '', payload = '', signature = ''] = COMPACT.exec(token) ?? []
  const { alg, typ, kid, crit } = parseObject(header)
  if (alg !== algorithm) throw new InvalidTokenError('algorithm')
  if (typ !== undefined && !(typeof typ === 'string' && /^(at\+)?jwt$/i.test(typ))) throw new InvalidTokenError('type')
  if ((kid !== undefined && typeof kid !== 'string') || crit !== undefined) throw new InvalidTokenError('malformed')
  return {
    kid,
    signed: Buffer.from(token.slice(0, header.length + 1 + payload.length), 'latin1'),
    signature: decode(signature),
    payload: () => parseObject(payload),
  }
}

function parseObject(part: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(decode(part)))
  } catch (error) {
    throw error instanceof InvalidTokenError ? error : new InvalidTokenError('malformed')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new InvalidTokenError('malformed')
  return value as Readonly<Record<string, unknown>>
}

/** One character left over after groups of four encodes nothing. */
function decode(part: string): Buffer {
  if (part.length % 4 === 1) throw new InvalidTokenError('malformed')
  return Buffer.from(part, 'base64url')
}
