import type { IHeaders, Message } from 'kafkajs'
import type { IncomingMessage, OutgoingMessage } from './message.ts'

/** A message as kafkajs writes it. */
export function toKafkaMessage(message: OutgoingMessage): Message {
  return {
    key: message.key ?? null,
    value: message.value,
    ...(message.headers !== undefined && { headers: { ...message.headers } }),
    ...(message.timestamp !== undefined && { timestamp: String(message.timestamp) }),
  }
}

interface KafkaRecord {
  readonly offset: string
  readonly key: Buffer | null
  readonly value: Buffer | null
  readonly headers?: IHeaders
  readonly timestamp: string
}

/** A record as kafkajs reads it. */
export function fromKafkaRecord(topic: string, partition: number, record: KafkaRecord): IncomingMessage {
  return {
    topic,
    partition,
    offset: record.offset,
    key: record.key,
    value: record.value,
    headers: textHeaders(record.headers),
    timestamp: Number(record.timestamp),
  }
}

function textHeaders(headers: IHeaders | undefined): Record<string, string> {
  const text: Record<string, string> = Object.create(null)
  for (const name in headers) {
    const value = headers[name]
    const last = Array.isArray(value) ? value.at(-1) : value
    if (last !== undefined) text[name] = last.toString()
  }
  return text
}

/** Messages by topic, in their order; those without a topic of their own go to `defaultTopic`. */
export function groupByTopic(
  messages: readonly OutgoingMessage[],
  defaultTopic: string,
): { topic: string; messages: Message[] }[] {
  const topics = new Map<string, Message[]>()
  for (const message of messages) {
    const topic = message.topic ?? defaultTopic
    const group = topics.get(topic)
    if (group === undefined) topics.set(topic, [toKafkaMessage(message)])
    else group.push(toKafkaMessage(message))
  }
  return [...topics].map(([topic, group]) => ({ topic, messages: group }))
}
