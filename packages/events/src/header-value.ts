import { EventError } from './errors.ts'

/** Printable ASCII without the quote and percent that need decoding; a space is legal from senders of older versions. */
const NOTHING_TO_DECODE = /^[\x20\x21\x23\x24\x26-\x7e]*$/
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/
const QUOTED_STRING = /^"(?:[^"\\]|\\.)*"$/
const NEEDS_ENCODING = /[^\x21\x23\x24\x26-\x7e]/u

/** Whether a header is the attribute value itself, and of printable ASCII. */
export function isPlainHeaderValue(header: string): boolean {
  return NOTHING_TO_DECODE.test(header)
}

/**
 * The attribute value in a `ce-` header: double quotes unescaped, then one round of percent-decoding.
 * Throws an `EventError` for characters outside printable ASCII, a broken quoted string, a stray `%`, and bytes that
 * are not UTF-8. Source: CloudEvents HTTP binding 1.0.2, 3.1.3.2.
 */
export function decodeHeaderValue(attribute: string, header: string): string {
  if (isPlainHeaderValue(header)) return header
  if (!PRINTABLE_ASCII.test(header)) throw invalid(attribute, 'must percent-encode everything outside printable ASCII')
  const value = header.startsWith('"') ? unquote(attribute, header) : header
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch (cause) {
    throw invalid(attribute, 'must be percent-encoded UTF-8', cause)
  }
}

/** The `ce-` header for an attribute value: space, quote, percent and all but printable ASCII percent-encoded. */
export function encodeHeaderValue(value: string): string {
  if (!NEEDS_ENCODING.test(value)) return value
  return Array.from(value, (character) => (NEEDS_ENCODING.test(character) ? percentEncode(character) : character)).join(
    '',
  )
}

function percentEncode(character: string): string {
  const bytes = Buffer.from(character, 'utf8').toString('hex').toUpperCase()
  return bytes.replaceAll(/../g, '%$&')
}

function unquote(attribute: string, header: string): string {
  if (!QUOTED_STRING.test(header)) throw invalid(attribute, 'must close the double quote it opens')
  return header.slice(1, -1).replaceAll(/\\(.)/g, '$1')
}

function invalid(attribute: string, rule: string, cause?: unknown): EventError {
  return new EventError('invalid-attribute', attribute, `${attribute} ${rule}`, { cause })
}
