import { openInMemoryIncoming } from './in-memory-incoming.ts'
import { createInMemoryLog } from './in-memory-log.ts'
import { openInMemoryOutgoing } from './in-memory-outgoing.ts'
import type { InMemoryReader } from './in-memory-reader.ts'
import { openInMemoryTransform } from './in-memory-transform.ts'
import type { IncomingChannel, IncomingOptions } from './incoming-channel.ts'
import type { IncomingMessage, OutgoingMessage } from './message.ts'
import type { OutgoingChannel, OutgoingOptions } from './outgoing-channel.ts'
import type { TransformChannel, TransformOptions } from './transform-channel.ts'

/** Kafka's part in unit tests: channels over topics in memory, one partition each, no Kafka, no timers. */
export interface InMemoryConnector {
  openOutgoing(options: OutgoingOptions): OutgoingChannel
  openIncoming(options: IncomingOptions): IncomingChannel
  openTransform(options: TransformOptions): TransformChannel
  /** Writes one message as another service would. */
  publish(topic: string, message: OutgoingMessage): IncomingMessage
  /** Everything written to a topic so far. */
  messages(topic: string): readonly IncomingMessage[]
  /** Resolves when every open channel has handled everything written so far. */
  idle(): Promise<void>
  /** Plays Kafka's absence: sends overflow, readers rest, checks are DOWN. */
  setAvailable(available: boolean): void
}

/** Creates an empty in-memory Kafka for unit tests. `now` gives the timestamps; default the system clock. */
export function createInMemoryConnector(options: { readonly now?: () => number } = {}): InMemoryConnector {
  const log = createInMemoryLog(options.now ?? Date.now)
  const readers: InMemoryReader[] = []
  let waiting: (() => void)[] = []

  const isIdle = () => readers.every((reader) => reader.isIdle())
  function onSettled(): void {
    if (!isIdle()) return
    const resolved = waiting
    waiting = []
    for (const resolve of resolved) resolve()
  }

  return {
    openOutgoing: (channel) => openInMemoryOutgoing(log, channel),
    openIncoming(channel) {
      const opened = openInMemoryIncoming(log, channel, onSettled)
      readers.push(opened.reader)
      return opened.channel
    },
    openTransform(channel) {
      const opened = openInMemoryTransform(log, channel, onSettled)
      readers.push(opened.reader)
      return opened.channel
    },
    publish: (topic, message) => log.append(topic, message),
    messages: (topic) => log.read(topic),
    idle: () => (isIdle() ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    setAvailable(available) {
      log.setAvailable(available)
      onSettled()
    },
  }
}
