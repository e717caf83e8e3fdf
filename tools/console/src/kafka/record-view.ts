import type { IHeaders, KafkaMessage } from '@taproom/kafkajs'
import type { RecordView } from '../api/kafka.ts'
import { textView } from './text-view.ts'

const MAX_HEADERS = 200

export function recordView(topic: string, partition: number, message: KafkaMessage): RecordView {
  const { offset, timestamp, key, value, headers } = message
  return {
    topic,
    partition,
    offset,
    time: Number(timestamp),
    key: key && textView(key),
    value: value && textView(value),
    headers: headerViews(headers),
  }
}

function headerViews(headers: IHeaders | undefined): RecordView['headers'] {
  return Object.entries(headers ?? {})
    .flatMap(([name, values]) =>
      [values].flat().map((value) => ({ name, value: value == null ? null : textView(Buffer.from(value)) })),
    )
    .slice(0, MAX_HEADERS)
}

/** By time, and where that is the same as they stand in the log. */
export function byTime(a: RecordView, b: RecordView): number {
  return a.time - b.time || a.partition - b.partition || Number(BigInt(a.offset) - BigInt(b.offset))
}
