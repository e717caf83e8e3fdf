import type { ChannelCheck } from './check.ts'
import type { IncomingMessage, OutgoingMessage } from './message.ts'

/** Topics of one partition each, in memory, and whether "Kafka" is there. */
export interface InMemoryLog {
  isAvailable: boolean
  append(topic: string, message: OutgoingMessage): IncomingMessage
  read(topic: string): readonly IncomingMessage[]
  /** Called after every append and when availability changes. */
  subscribe(listener: () => void): () => void
  setAvailable(available: boolean): void
}

/** Creates an empty log. */
export function createInMemoryLog(now: () => number): InMemoryLog {
  const topics = new Map<string, IncomingMessage[]>()
  const listeners = new Set<() => void>()
  const log: InMemoryLog = {
    isAvailable: true,
    append(defaultTopic, message) {
      const topic = message.topic ?? defaultTopic
      const messages = topics.get(topic) ?? []
      topics.set(topic, messages)
      const record = {
        topic,
        partition: 0,
        offset: String(messages.length),
        key: toBuffer(message.key),
        value: toBuffer(message.value),
        headers: Object.fromEntries(Object.entries(message.headers ?? {}).map(([name, text]) => [name, String(text)])),
        timestamp: message.timestamp ?? now(),
      }
      messages.push(record)
      for (const listener of listeners) listener()
      return record
    },
    read: (topic) => topics.get(topic) ?? [],
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    setAvailable(available) {
      log.isAvailable = available
      for (const listener of listeners) listener()
    },
  }
  return log
}

/** UP while the log is available. */
export function logCheck(name: string, log: InMemoryLog): ChannelCheck {
  return { name, check: () => ({ status: log.isAvailable ? 'UP' : 'DOWN' }) }
}

function toBuffer(data: string | Buffer | null | undefined): Buffer | null {
  return data == null ? null : Buffer.from(data)
}
