import { ChannelClosedError, ChannelNotReadyError } from './errors.ts'
import { type InMemoryLog, logCheck } from './in-memory-log.ts'
import type { OutgoingChannel, OutgoingOptions } from './outgoing-channel.ts'

/** As openOutgoing, without the buffer: while "Kafka" is away, `drop` drops and the others reject. */
export function openInMemoryOutgoing(log: InMemoryLog, options: OutgoingOptions): OutgoingChannel {
  const { channel, topic = channel, overflow = 'buffer' } = options
  const counters = { sent: 0, dropped: 0, failed: 0 }
  let isClosed = false
  return {
    counters,
    check: logCheck(`Kafka outgoing channel ${channel}`, log),
    async send(message) {
      if (log.isAvailable && !isClosed) {
        log.append(topic, message)
        counters.sent += 1
        return { accepted: true }
      }
      if (overflow === 'drop') {
        counters.dropped += 1
        return { accepted: false }
      }
      counters.failed += 1
      if (isClosed) throw new ChannelClosedError(`Channel ${channel} is closed`, { channel })
      throw new ChannelNotReadyError(`Kafka is not reachable: channel ${channel}`, { channel })
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
    },
  }
}
