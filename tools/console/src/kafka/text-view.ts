import { isUtf8 } from 'node:buffer'
import type { TextView } from '../api/kafka.ts'

/** Bytes that are shown of a key, value or header. */
const SHOWN_BYTES = 65_536
/** Control characters that texts do not have: bytes with them are for a hex editor, though they may be UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const NO_TEXT = /[\0-\x08\x0b\x0c\x0e-\x1f]/

/** Bytes as text where they are UTF-8, else as base64. */
export function textView(bytes: Buffer): TextView {
  const text = bytes.length <= SHOWN_BYTES ? wholeText(bytes) : beginningOfText(bytes)
  if (text !== undefined && !NO_TEXT.test(text)) return { text, encoding: 'utf8', bytes: bytes.length }
  return { text: bytes.subarray(0, SHOWN_BYTES).toString('base64'), encoding: 'base64', bytes: bytes.length }
}

function wholeText(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString() : undefined
}

/** Not cut within a character. */
function beginningOfText(bytes: Buffer): string | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    return decoder.decode(bytes.subarray(0, SHOWN_BYTES), { stream: true })
  } catch {
    return undefined
  }
}
