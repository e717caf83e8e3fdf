import { Buffer } from 'node:buffer'
import { LIMITS, parseJson } from '@taproom/limits'
import { InvalidTokenError } from './errors.ts'
import { hasTokenShape } from './json-shape.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** @throws {InvalidTokenError} when the bytes are no JSON object, repeat a member, or are nested deeper than `LIMITS.tokenDepth` */
export function parseObject(bytes: Buffer): Readonly<Record<string, unknown>> {
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
 * The bytes of a part, which must be encoded canonically: no other characters, no padding, and no unused bits set (RFC 4648, section 3.5).
 * So changing any character makes it another token.
 *
 * @throws {InvalidTokenError} when it is not, or is empty
 */
export function decode(part: string): Buffer {
  const bytes = Buffer.from(part, 'base64url')
  if (part === '' || bytes.toString('base64url') !== part) throw new InvalidTokenError('malformed')
  return bytes
}
