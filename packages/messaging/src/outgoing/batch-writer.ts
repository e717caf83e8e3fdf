import { setImmediate } from 'node:timers/promises'
import { withDeadline } from '@taproom/core/time'
import type { Producer } from '@taproom/kafkajs'
import { SendRefusedError } from '../channel/errors.ts'
import { BATCH_BYTES } from '../channel/message-bytes.ts'
import { isLocal, isRefusal } from '../kafka/broker-answer.ts'
import { COMPRESSION_TYPES } from '../kafka/compression.ts'
import { groupByTopic } from '../kafka/record.ts'
import type { OutgoingOptions } from './outgoing-channel.ts'
import type { PendingSend } from './pending-send.ts'
import type { ProducerConnection } from './producer-connection.ts'

const BATCH_MESSAGES = 500

interface BatchWriterOptions
  extends Pick<Required<OutgoingOptions>, 'channel' | 'topic' | 'timeoutMs' | 'compression'> {
  readonly connection: ProducerConnection
  /** Called when the connection was lost during a write: the batch may or may not be stored. */
  onUnconfirmed(batch: readonly PendingSend[], cause: unknown): void
}

/** Writes sends in the order of their calls: one request at a time, with all messages that wait. Settled ones are skipped. */
export class BatchWriter {
  readonly #options: BatchWriterOptions
  #state: 'idle' | 'writing' = 'idle'
  #waiting: PendingSend[] = []

  constructor(options: BatchWriterOptions) {
    this.#options = options
  }

  push(send: PendingSend): void {
    this.#waiting.push(send)
    void this.run()
  }

  /** Puts sends back to the front, after a failed attempt. */
  putBack(returned: readonly PendingSend[]): void {
    this.#waiting = [...returned.filter((send) => !send.isSettled), ...this.#waiting]
  }

  /** Removes settled sends at the front. */
  trim(): void {
    const open = this.#waiting.findIndex((send) => !send.isSettled)
    this.#waiting.splice(0, open === -1 ? this.#waiting.length : open)
  }

  /** Writes until nothing waits or the connection is lost; does nothing when it is already writing. */
  async run(): Promise<void> {
    if (this.#state === 'writing') return
    this.#state = 'writing'
    const { connection } = this.#options
    try {
      for (;;) {
        // Collects all messages of this turn of the event loop in one request.
        await setImmediate()
        const { producer } = connection
        if (producer === undefined) return
        const batch = this.#take()
        if (batch.length === 0) return
        await this.#write(producer, batch)
      }
    } finally {
      this.#state = 'idle'
    }
  }

  /** Removes and returns the next sends that fit one request. */
  #take(): PendingSend[] {
    const batch: PendingSend[] = []
    let bytes = 0
    let taken = 0
    for (const send of this.#waiting) {
      if (!send.isSettled) {
        bytes += send.bytes
        if (batch.length > 0 && (batch.length >= BATCH_MESSAGES || bytes > BATCH_BYTES)) break
        batch.push(send)
      }
      taken += 1
    }
    this.#waiting.splice(0, taken)
    return batch
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
    const { channel, connection } = this.#options
    const [first] = batch
    if (batch.length === 1 && first !== undefined) {
      const who = isLocal(cause) ? "Kafka's client" : 'Kafka'
      first.settle(new SendRefusedError(`${who} refused a message: channel ${channel}`, { channel, cause }))
      return
    }
    for (const [index, send] of batch.entries()) {
      if (connection.producer !== producer) return this.putBack(batch.slice(index))
      if (!send.isSettled) await this.#write(producer, [send])
    }
  }
}
