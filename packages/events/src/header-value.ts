import { isUtf8 } from 'node:buffer'

/** Printable ASCII except space, double quote and percent: needs no encoding. */
const PLAIN = /^[\x21\x23\x24\x26-\x7e]*$/
/** The same with space, which older senders do not encode. */
const NOTHING_TO_DECODE = /^[\x20\x21\x23\x24\x26-\x7e]*$/
/** No space at either end, which HTTP would take away. */
const PRINTABLE = /^(?! )[\x20-\x7e]*(?<! )$/
/** The same with the bytes beyond ASCII, which HTTP carries as they are. */
const CARRIED = /^(?! )[\x20-\x7e\x80-\xff]*(?<! )$/
const BEYOND_LATIN_1 = /[\u0100-\uffff]/

const QUOTE = 0x22
const PERCENT = 0x25
const BACKSLASH = 0x5c
const HEX_DIGITS = Buffer.from('0123456789ABCDEF')

/** Whether header and attribute value are the same. */
export function isPlainHeaderValue(header: string): boolean {
  return PLAIN.test(header)
}

/** Returns true for a text that can be a header as it is: printable ASCII without spaces around it. */
export function isPrintableHeaderValue(text: string): boolean {
  return PRINTABLE.test(text)
}

/** Returns true for a text, each character a byte, that HTTP carries as it is. */
export function isCarriedHeaderValue(text: string): boolean {
  return CARRIED.test(text)
}

/**
 * The text in a `ce-` header: double quotes unescaped, then one round of percent-decoding. Lenient with SDKs that do not encode: a `%` that
 * begins no escape is itself, and raw bytes are UTF-8 (Node reads them as Latin-1). Undefined when a quoted string is broken, or the bytes
 * are not UTF-8.
 *
 * Source: CloudEvents HTTP binding 1.0.2, 3.1.3.2.
 */
export function decodeHeaderValue(header: string): string | undefined {
  if (NOTHING_TO_DECODE.test(header)) return header
  const bytes = bytesOf(header)
  const value = bytes[0] === QUOTE ? unquoted(bytes) : bytes
  return value && utf8In(withoutEscapes(value))
}

/** The text of a `ce-` header that was not encoded: UTF-8, else Latin-1, which clients of JavaScript write. */
export function textOfHeader(header: string): string {
  return utf8In(bytesOf(header)) ?? header
}

function bytesOf(header: string): Buffer {
  return Buffer.from(header, BEYOND_LATIN_1.test(header) ? 'utf8' : 'latin1')
}

function utf8In(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString() : undefined
}

/** Percent-encodes space, quote, percent and all but printable ASCII. */
export function encodeHeaderValue(value: string): string {
  if (PLAIN.test(value)) return value
  const bytes = Buffer.from(value)
  const header = Buffer.allocUnsafe(bytes.length * 3)
  let end = 0
  for (const byte of bytes) {
    if (isPlain(byte)) {
      header[end++] = byte
    } else {
      header[end++] = PERCENT
      header[end++] = HEX_DIGITS[byte >> 4] ?? 0
      header[end++] = HEX_DIGITS[byte & 0x0f] ?? 0
    }
  }
  return header.toString('latin1', 0, end)
}

/** The length of {@link encodeHeaderValue}'s result. */
export function encodedLength(value: string): number {
  let plain = 0
  for (let at = 0; at < value.length; at += 1) if (isPlain(value.charCodeAt(at))) plain += 1
  return 3 * Buffer.byteLength(value) - 2 * plain
}

function isPlain(character: number): boolean {
  return character > 0x20 && character < 0x7f && character !== QUOTE && character !== PERCENT
}

/** In place: writing never overtakes reading. */
function withoutEscapes(bytes: Buffer): Buffer {
  let end = 0
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at] ?? 0
    if (byte === PERCENT) {
      const high = hexDigit(bytes[at + 1])
      const low = hexDigit(bytes[at + 2])
      if (high >= 0 && low >= 0) {
        byte = high * 16 + low
        at += 2
      }
    }
    bytes[end++] = byte
  }
  return bytes.subarray(0, end)
}

/** -1 when it is not a digit. */
function hexDigit(character = 0): number {
  if (character >= 0x30 && character <= 0x39) return character - 0x30
  const letter = (character | 0x20) - 0x61
  return letter >= 0 && letter < 6 ? letter + 10 : -1
}

/** In place as well. Undefined when the first quote is not closed by the last byte. */
function unquoted(bytes: Buffer): Buffer | undefined {
  let end = 0
  for (let at = 1; at < bytes.length; at += 1) {
    let byte = bytes[at] ?? 0
    if (byte === QUOTE) {
      return at === bytes.length - 1 ? bytes.subarray(0, end) : undefined
    }
    if (byte === BACKSLASH) {
      at += 1
      byte = bytes[at] ?? 0
    }
    bytes[end++] = byte
  }
  return undefined
}
