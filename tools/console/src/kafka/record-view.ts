import { isUtf8 } from 'node:buffer'
import type { IHeaders, KafkaMessage } from '@taproom/kafkajs'
import type { RecordView, TextView } from '../api/kafka.ts'

const MAX_HEADERS = 200
/** Bytes that a list shows of a key, value or header. */
const SHOWN_BYTES = 65_536
/** Control characters that texts do not have: bytes with them are for a hex editor, though they may be UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const NO_TEXT = /[\0-\x08\x0b\x0c\x0e-\x1f]/

/** @param maxBytes of a key, value or header; default 64 KiB */
export function recordView(
  topic: string,
  partition: number,
  message: KafkaMessage,
  maxBytes: number = SHOWN_BYTES,
): RecordView {
  const { offset, timestamp, key, value, headers } = message
  const view = (bytes: Buffer) => textView(bytes, maxBytes)
  return {
    topic,
    partition,
    offset,
    time: Number(timestamp),
    key: key && view(key),
    value: value && view(value),
    headers: headerViews(headers, view),
  }
}

function headerViews(headers: IHeaders | undefined, view: (bytes: Buffer) => TextView): RecordView['headers'] {
  return Object.entries(headers ?? {})
    .flatMap(([name, values]) =>
      [values].flat().map((value) => ({ name, value: value == null ? null : view(Buffer.from(value)) })),
    )
    .slice(0, MAX_HEADERS)
}

/** By time, and where that is the same as they stand in the log. */
export function byTime(a: RecordView, b: RecordView): number {
  return a.time - b.time || a.partition - b.partition || Number(BigInt(a.offset) - BigInt(b.offset))
}

/** Bytes as text where they are UTF-8, else as base64. */
function textView(bytes: Buffer, maxBytes: number): TextView {
  const text = bytes.length <= maxBytes ? wholeText(bytes) : beginningOfText(bytes, maxBytes)
  if (text !== undefined && !NO_TEXT.test(text)) return { text, encoding: 'utf8', bytes: bytes.length }
  return { text: bytes.subarray(0, maxBytes).toString('base64'), encoding: 'base64', bytes: bytes.length }
}

function wholeText(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString() : undefined
}

/** Not cut within a character. */
function beginningOfText(bytes: Buffer, maxBytes: number): string | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    return decoder.decode(bytes.subarray(0, maxBytes), { stream: true })
  } catch {
    return undefined
  }
}
