import { sendToDeadLetters } from './dead-letter.ts'
import { type InMemoryLog, logCheck } from './in-memory-log.ts'
import { openInMemoryOutgoing } from './in-memory-outgoing.ts'
import { type InMemoryReader, readInMemory } from './in-memory-reader.ts'
import type { IncomingChannel, IncomingOptions } from './incoming-channel.ts'
import type { IncomingMessage } from './message.ts'

/** An incoming channel and its reader, so that the connector can tell when it is idle. */
export interface InMemoryIncoming {
  readonly channel: IncomingChannel
  readonly reader: InMemoryReader
}

/** As openIncoming; groups are not shared: every channel reads every message. */
export function openInMemoryIncoming(
  log: InMemoryLog,
  options: IncomingOptions,
  onSettled: () => void,
): InMemoryIncoming {
  const { channel, topic = channel, from = 'latest', failureStrategy = 'fail', onMessage } = options
  const deadLetterTopic = options.deadLetterTopic ?? `dead-letter-topic-${channel}`
  const counters = { received: 0, acknowledged: 0, failed: 0, deadLettered: 0, restarts: 0 }
  const deadLetters = openInMemoryOutgoing(log, { channel: deadLetterTopic })
  const ended = new AbortController()
  let failure: string | undefined

  async function handle(message: IncomingMessage): Promise<void> {
    counters.received += 1
    try {
      await onMessage(message, ended.signal)
    } catch (error) {
      counters.failed += 1
      if (failureStrategy === 'fail') {
        failure = error instanceof Error ? error.message : String(error)
        void reader.stop()
        return
      }
      if (failureStrategy === 'dead-letter-queue') {
        await sendToDeadLetters(deadLetters, message, error)
        counters.deadLettered += 1
      }
    }
    counters.acknowledged += 1
  }

  const reader = readInMemory({
    log,
    topic,
    start: from === 'earliest' ? 0 : log.read(topic).length,
    concurrency: options.concurrency ?? 1,
    handle,
    onSettled,
  })
  const name = `Kafka incoming channel ${channel}`
  return {
    reader,
    channel: {
      groupId: options.groupId ?? `in-memory-${channel}`,
      assigned: Promise.resolve(),
      check: logCheck(name, log),
      liveness: {
        name,
        check: () => (failure === undefined ? { status: 'UP' } : { status: 'DOWN', data: { reason: failure } }),
      },
      counters,
      async [Symbol.asyncDispose]() {
        await reader.stop()
        ended.abort()
      },
    },
  }
}
