import { Buffer } from 'node:buffer'
import { LIMITS, parseJson } from '@taproom/limits'
import { InvalidTokenError } from './errors.ts'
import { hasTokenShape } from './json-shape.ts'
import type { JwtAlgorithm } from './verification-key.ts'

/** A parsed token; nothing in it is verified yet. */
export interface CompactToken {
  /** The only header that affects verification. Headers that contain or point to keys are ignored. */
  readonly kid: string | undefined
  /** The signed bytes. */
  readonly signed: Buffer
  readonly signature: Buffer
  /**
   * The claims, which are not verified before the signature is.
   *
   * @throws {InvalidTokenError} when they are not a JSON object, repeat a member, or are nested deeper than `LIMITS.tokenDepth`
   */
  payload(): Readonly<Record<string, unknown>>
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * A parser for tokens in strict compact form, with the given algorithm, an accepted type, and without critical headers, none of which this
 * package supports (RFC 7515, section 4.1.11). The tokens of an issuer have the same header, so the last accepted one is cached. It throws an
 * {@link InvalidTokenError} with the reason `malformed`, `algorithm` or `type`.
 */
export function createCompactParser(algorithm: JwtAlgorithm): (token: string) => CompactToken {
  let last: Header = { part: '', kid: undefined }
  return (token) => {
    if (token.length > LIMITS.tokenBytes) throw new InvalidTokenError('malformed')
    const [header = '', payload = '', signature = '', ...rest] = token.split('.', 4)
    if (rest.length > 0) throw new InvalidTokenError('malformed')
    if (header !== last.part || header === '') last = checkHeader(header, algorithm)
    const claims = decode(payload)
    return {
      kid: last.kid,
      signed: Buffer.from(token.slice(0, header.length + 1 + payload.length), 'latin1'),
      signature: decode(signature),
      payload: () => parseObject(claims),
    }
  }
}

interface Header {
  readonly part: string
  readonly kid: string | undefined
}

function checkHeader(part: string, algorithm: JwtAlgorithm): Header {
  const { alg, typ, kid, crit, b64 } = parseObject(decode(part))
  if (alg !== algorithm) throw new InvalidTokenError('algorithm')
  if (typ !== undefined && !(typeof typ === 'string' && /^(at\+)?jwt$/i.test(typ))) throw new InvalidTokenError('type')
  if (kid !== undefined && typeof kid !== 'string') throw new InvalidTokenError('malformed')
  // An unencoded payload (RFC 7797) must be announced in `crit`; without that it could be misread.
  if (crit !== undefined || (b64 !== undefined && b64 !== true)) throw new InvalidTokenError('malformed')
  return { part, kid }
}

function parseObject(bytes: Buffer): Readonly<Record<string, unknown>> {
  const { text, value } = parse(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new InvalidTokenError('malformed')
  if (!hasTokenShape(text, value, LIMITS.tokenDepth)) throw new InvalidTokenError('malformed')
  return value as Readonly<Record<string, unknown>>
}

function parse(bytes: Buffer): { readonly text: string; readonly value: unknown } {
  try {
    const text = utf8.decode(bytes)
    return { text, value: parseJson(text) }
  } catch {
    throw new InvalidTokenError('malformed')
  }
}

/**
 * The bytes of a part, which must be encoded canonically: no other characters, no padding, and no unused bits set (RFC 4648, section 3.5). So
 * changing any character makes it another token.
 */
function decode(part: string): Buffer {
  const bytes = Buffer.from(part, 'base64url')
  if (part === '' || bytes.toString('base64url') !== part) throw new InvalidTokenError('malformed')
  return bytes
}
