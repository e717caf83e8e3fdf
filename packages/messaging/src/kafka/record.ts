import { reasonOf } from '@taproom/core/lines'
import type { IHeaders, KafkaMessage, Message } from '@taproom/kafkajs'
import type { IncomingMessage, OutgoingMessage } from '../channel/message.ts'

function toKafkaMessage(message: OutgoingMessage): Message {
  return {
    key: message.key ?? null,
    value: message.value,
    // Its types do not know that a value may be null.
    ...(message.headers !== undefined && { headers: { ...message.headers } as IHeaders }),
    ...(message.timestamp !== undefined && { timestamp: String(message.timestamp) }),
  }
}

/** The part of a kafkajs message that a channel reads. */
export type KafkaRecord = Pick<KafkaMessage, 'offset' | 'key' | 'value' | 'headers' | 'timestamp' | 'undecodable'>

/** The error, the number of records and the first offset of bytes that cannot be decoded. */
export type Undecodable = NonNullable<KafkaMessage['undecodable']>

/** Describes for health checks where unreadable records are, and why they cannot be read. */
export function placeAndReason(
  { topic, partition, offset }: IncomingMessage,
  { error, firstOffset }: { readonly error: unknown; readonly firstOffset: string },
): string {
  const offsets = firstOffset === offset ? `offset ${offset}` : `offsets ${firstOffset} to ${offset}`
  return `${topic}, partition ${partition}, ${offsets}: ${reasonOf(error)}`
}

/** Key and value still share the memory of the whole fetched answer. */
export function fromKafkaRecord(topic: string, partition: number, record: KafkaRecord): IncomingMessage {
  return {
    topic,
    partition,
    offset: record.offset,
    key: record.key,
    value: record.value,
    headers: textHeaders(record.headers),
    // kafkajs reads bytes.
    rawHeaders: (record.headers as IncomingMessage['rawHeaders'] | undefined) ?? NO_HEADERS,
    timestamp: Number(record.timestamp),
  }
}

/** Copies all bytes, so that the rest of the fetched answer can be freed while the message is handled. */
export function detached(message: IncomingMessage): IncomingMessage {
  return {
    ...message,
    key: message.key && Buffer.from(message.key),
    value: message.value && Buffer.from(message.value),
    rawHeaders: copyOf(message.rawHeaders),
  }
}

function copyOf(headers: IncomingMessage['rawHeaders']): IncomingMessage['rawHeaders'] {
  if (headers === NO_HEADERS) return headers
  const copy = Object.create(null) as Record<string, IncomingMessage['rawHeaders'][string]>
  for (const name in headers) {
    const value = headers[name] ?? null
    copy[name] = Array.isArray(value)
      ? value.map((each) => each && Buffer.from(each))
      : value && Buffer.from(value as Buffer)
  }
  return copy
}

/** Of all messages that have none: an object without a prototype is larger than a small message. */
const NO_HEADERS: Readonly<Record<string, never>> = Object.freeze(Object.create(null))

function textHeaders(headers: IHeaders | undefined): Readonly<Record<string, string>> {
  let text: Record<string, string> | undefined
  for (const name in headers) {
    const value = headers[name]
    const last = Array.isArray(value) ? value.at(-1) : value
    if (last == null) continue
    text ??= Object.create(null) as Record<string, string>
    text[name] = last.toString()
  }
  return text ?? NO_HEADERS
}

/** Messages by topic, in their order; those without a topic go to `defaultTopic`. */
export function groupByTopic(
  messages: readonly OutgoingMessage[],
  defaultTopic: string,
): { topic: string; messages: Message[] }[] {
  const topics = Map.groupBy(messages, ({ topic }) => topic ?? defaultTopic)
  return [...topics].map(([topic, group]) => ({ topic, messages: group.map(toKafkaMessage) }))
}
