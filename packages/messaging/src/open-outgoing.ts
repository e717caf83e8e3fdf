import { setImmediate } from 'node:timers/promises'
import type { Producer } from 'kafkajs'
import { withDeadline } from './deadline.ts'
import {
  BufferFullError,
  ChannelClosedError,
  ChannelNotReadyError,
  type MessagingError,
  SendRefusedError,
  SendTimeoutError,
} from './errors.ts'
import type { KafkaClient } from './kafka.ts'
import { isRefusal } from './kafka-failure.ts'
import { groupByTopic } from './kafka-message.ts'
import type { OutgoingMessage } from './message.ts'
import { checkInteger, checkName } from './option-rules.ts'
import type { OutgoingChannel, OutgoingOptions, SendResult } from './outgoing-channel.ts'
import { connectProducer } from './producer-connection.ts'
import { createSendQueue, type Entry } from './send-queue.ts'

/**
 * Opens an outgoing channel. Returns at once; connects in the background and again whenever Kafka was away. One
 * request is under way at a time and takes everything that waits, so the order of the calls is kept.
 * @throws {RangeError} on an invalid option
 */
export function openOutgoing(kafka: KafkaClient, options: OutgoingOptions): OutgoingChannel {
  const { channel, overflow = 'buffer' } = options
  const topic = checkName('topic', options.topic ?? channel)
  const bufferSize = checkInteger('bufferSize', options.bufferSize ?? 1024, 1)
  const timeoutMs = checkInteger('timeoutMs', options.timeoutMs ?? 5000, 1)
  const queue = createSendQueue()
  const waiting = new Map<Entry, Promise<SendResult>>()
  const counters = { sent: 0, dropped: 0, failed: 0 }
  let isPumping = false
  let closing: Promise<void> | undefined
  const connection = connectProducer({ kafka, channel, onConnected: () => void pump() })

  function enqueue(message: OutgoingMessage): Promise<SendResult> {
    const { promise, resolve } = Promise.withResolvers<SendResult>()
    let settled = false
    const settle = (outcome: () => SendResult | Promise<SendResult>) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      waiting.delete(entry)
      resolve(outcome())
    }
    const entry: Entry = {
      message,
      get settled() {
        return settled
      },
      confirm: () =>
        settle(() => {
          counters.sent += 1
          return { accepted: true }
        }),
      fail: (error) => settle(() => refuse(error)),
    }
    const timer = setTimeout(() => {
      entry.fail(new SendTimeoutError(`Kafka did not confirm within ${timeoutMs} ms: channel ${channel}`, { channel }))
      queue.trim()
    }, timeoutMs)
    waiting.set(entry, promise)
    queue.push(entry)
    return promise
  }

  /** The outcome of a message that is not written, as the overflow strategy has it. */
  function refuse(error: MessagingError): Promise<SendResult> {
    if (overflow === 'drop') {
      counters.dropped += 1
      return Promise.resolve({ accepted: false })
    }
    counters.failed += 1
    return Promise.reject(error)
  }

  async function pump(): Promise<void> {
    if (isPumping) return
    isPumping = true
    try {
      for (;;) {
        // Whatever is sent in this turn of the event loop goes into one request.
        await setImmediate()
        const { producer } = connection
        if (producer === undefined) return
        const batch = queue.take()
        if (batch.length === 0) return
        await write(producer, batch)
      }
    } finally {
      isPumping = false
    }
  }

  async function write(producer: Producer, batch: readonly Entry[]): Promise<void> {
    const messages = batch.map((entry) => entry.message)
    try {
      await withDeadline(
        producer.sendBatch({ acks: -1, timeout: timeoutMs, topicMessages: groupByTopic(messages, topic) }),
        timeoutMs,
        'writing to kafka',
      )
      connection.confirmed()
      for (const entry of batch) entry.confirm()
    } catch (error) {
      if (isRefusal(error)) return await writeApart(producer, batch, error)
      connection.lost(producer, error)
      if (overflow !== 'drop') return queue.putBack(batch)
      for (const entry of waiting.keys()) entry.fail(notReady(error))
    }
  }

  /** One bad message must not cost its neighbours. */
  async function writeApart(producer: Producer, batch: readonly Entry[], error: unknown): Promise<void> {
    const [first] = batch
    if (batch.length === 1 && first !== undefined) {
      first.fail(new SendRefusedError(`Kafka refused a message: channel ${channel}`, { channel, cause: error }))
      return
    }
    for (const [index, entry] of batch.entries()) {
      if (connection.producer !== producer) return queue.putBack(batch.slice(index))
      if (!entry.settled) await write(producer, [entry])
    }
  }

  function notReady(cause?: unknown): ChannelNotReadyError {
    return new ChannelNotReadyError(`Kafka is not reachable: channel ${channel}`, { channel, cause })
  }

  function closed(): ChannelClosedError {
    return new ChannelClosedError(`Channel ${channel} is closed`, { channel })
  }

  async function close(): Promise<void> {
    // Every message ends at its own time limit; without a connection there is nothing to wait for.
    if (connection.producer !== undefined) await Promise.allSettled(waiting.values())
    for (const entry of waiting.keys()) entry.fail(closed())
    await connection.close()
  }

  return {
    counters,
    check: {
      name: `Kafka outgoing channel ${channel}`,
      async check() {
        const isUp = await connection.isReachable()
        return { status: isUp ? 'UP' : 'DOWN', data: { topic, ...counters } }
      },
    },
    async send(message) {
      if (closing !== undefined) return await refuse(closed())
      if (connection.producer === undefined && overflow !== 'buffer') return await refuse(notReady())
      if (waiting.size >= bufferSize) {
        return await refuse(new BufferFullError(`${bufferSize} messages wait already: channel ${channel}`, { channel }))
      }
      const sending = enqueue(message)
      void pump()
      return await sending
    },
    [Symbol.asyncDispose]() {
      closing ??= close()
      return closing
    },
  }
}
