import { setImmediate } from 'node:timers/promises'
import { withDeadline } from '@taproom/core/time'
import type { Producer } from '@taproom/kafkajs'
import { SendRefusedError } from '../channel/errors.ts'
import { isLocal, isRefusal } from '../kafka/broker-answer.ts'
import { COMPRESSION_TYPES, type Compression } from '../kafka/compression.ts'
import { groupByTopic } from '../kafka/record.ts'
import type { PendingSend } from './pending-send.ts'
import type { ProducerConnection } from './producer-connection.ts'
import type { SendQueue } from './send-queue.ts'

interface BatchWriterOptions {
  readonly channel: string
  /** For messages without a topic of their own. */
  readonly topic: string
  readonly timeoutMs: number
  readonly compression: Compression
  readonly queue: SendQueue
  readonly connection: ProducerConnection
  /** Called when the connection was lost during a write: the batch may or may not be stored. */
  onUnconfirmed(batch: readonly PendingSend[], cause: unknown): void
}

/** Writes the queue in order: one request at a time, with all messages that wait. */
export class BatchWriter {
  readonly #options: BatchWriterOptions
  #state: 'idle' | 'writing' = 'idle'

  constructor(options: BatchWriterOptions) {
    this.#options = options
  }

  /** Writes until the queue is empty or the connection lost; does nothing when it is already writing. */
  async run(): Promise<void> {
    if (this.#state === 'writing') return
    this.#state = 'writing'
    const { connection, queue } = this.#options
    try {
      for (;;) {
        // Collects all messages of this turn of the event loop in one request.
        await setImmediate()
        const { producer } = connection
        if (producer === undefined) return
        const batch = queue.take()
        if (batch.length === 0) return
        await this.#write(producer, batch)
      }
    } finally {
      this.#state = 'idle'
    }
  }

  async #write(producer: Producer, batch: readonly PendingSend[]): Promise<void> {
    const { connection, topic, timeoutMs } = this.#options
    const compression = COMPRESSION_TYPES[this.#options.compression]
    const messages = batch.map((send) => send.message)
    try {
      await withDeadline(
        producer.sendBatch({ acks: -1, timeout: timeoutMs, compression, topicMessages: groupByTopic(messages, topic) }),
        timeoutMs,
        'writing to kafka',
      )
      connection.confirmed()
      for (const send of batch) send.settle()
    } catch (error) {
      if (isRefusal(error) || isLocal(error)) return await this.#writeApart(producer, batch, error)
      connection.lost(producer, error)
      this.#options.onUnconfirmed(batch, error)
    }
  }

  /** Writes each message of a refused batch alone, so that only the bad ones fail. */
  async #writeApart(producer: Producer, batch: readonly PendingSend[], cause: unknown): Promise<void> {
    const { channel, connection, queue } = this.#options
    const [first] = batch
    if (batch.length === 1 && first !== undefined) {
      const who = isLocal(cause) ? "Kafka's client" : 'Kafka'
      first.settle(new SendRefusedError(`${who} refused a message: channel ${channel}`, { channel, cause }))
      return
    }
    for (const [index, send] of batch.entries()) {
      if (connection.producer !== producer) return queue.putBack(batch.slice(index))
      if (!send.isSettled) await this.#write(producer, [send])
    }
  }
}
