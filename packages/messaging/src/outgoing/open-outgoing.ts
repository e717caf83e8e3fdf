import type { HealthCheck } from '@taproom/core/health'
import { reasonOf } from '@taproom/core/lines'
import { tracing } from '@taproom/core/spans'
import { checkMessage } from '../channel/check-message.ts'
import {
  BufferFullError,
  ChannelClosedError,
  ChannelNotReadyError,
  InvalidMessageError,
  type MessagingError,
  SendRefusedError,
  SendTimeoutError,
} from '../channel/errors.ts'
import type { OutgoingMessage } from '../channel/message.ts'
import { messageBytes } from '../channel/message-bytes.ts'
import { checkInteger, checkName, DEFAULT_BUFFER_BYTES } from '../channel/option-rules.ts'
import { brokerAnswer } from '../kafka/broker-answer.ts'
import type { KafkaClient } from '../kafka/client.ts'
import { checkCompression } from '../kafka/compression.ts'
import { beginSend } from '../spans/message-spans.ts'
import { BatchWriter } from './batch-writer.ts'
import type { OutgoingChannel, OutgoingOptions, SendResult } from './outgoing-channel.ts'
import { PendingSend, type SendRules } from './pending-send.ts'
import { ProducerConnection } from './producer-connection.ts'
import { RefusalLog } from './refusal-log.ts'

/**
 * Opens an outgoing channel. Returns at once; connects in the background and again after every outage. Keeps the order
 * of the calls: one request at a time, with all messages that wait.
 * @throws {RangeError} when an option is invalid
 */
export function openOutgoing(kafka: KafkaClient, options: OutgoingOptions): OutgoingChannel {
  const { channel, overflow = 'buffer' } = options
  return new KafkaOutgoing(kafka, {
    channel,
    overflow,
    topic: checkName('topic', options.topic ?? channel),
    bufferSize: checkInteger('bufferSize', options.bufferSize ?? 1024, 1),
    bufferBytes: checkInteger('bufferBytes', options.bufferBytes ?? DEFAULT_BUFFER_BYTES, 1),
    timeoutMs: checkInteger('timeoutMs', options.timeoutMs ?? 5000, 1),
    compression: checkCompression('compression', options.compression ?? 'none'),
  })
}

class KafkaOutgoing implements OutgoingChannel {
  readonly counters: { sent: number; dropped: number; failed: number } = { sent: 0, dropped: 0, failed: 0 }
  readonly check: HealthCheck
  readonly #options: Required<OutgoingOptions>
  readonly #connection: ProducerConnection
  readonly #writer: BatchWriter
  readonly #sendRules: SendRules
  /** Waiting or being written. */
  readonly #pending = new Set<PendingSend>()
  #pendingBytes = 0
  readonly #refusals: RefusalLog
  /** Kafka's answer to a message that it refused, until it stores another one. */
  #lastRefusal: string | undefined
  #closed: Promise<void> | undefined

  constructor(kafka: KafkaClient, options: Required<OutgoingOptions>) {
    const { channel, topic, timeoutMs } = options
    this.#options = options
    this.#refusals = new RefusalLog(kafka.log)
    this.#connection = new ProducerConnection({ kafka, channel, onConnected: () => void this.#writer.run() })
    this.#writer = new BatchWriter({
      ...options,
      connection: this.#connection,
      onUnconfirmed: (batch, cause) => this.#keepOrDrop(batch, cause),
    })
    this.#sendRules = {
      timeoutMs,
      onTimeout: (send) => this.#timeOut(send),
      answer: (send, error) => this.#answer(send, error),
    }
    this.check = {
      name: `Kafka outgoing channel ${channel}`,
      check: async () => {
        const isUp = await this.#connection.isReachable()
        const reason = isUp ? undefined : this.#connection.failure
        const lastRefusal = this.#lastRefusal
        return {
          status: isUp ? 'UP' : 'DOWN',
          data: {
            ...{ topic, ...this.counters },
            ...(reason !== undefined && { reason }),
            ...(lastRefusal !== undefined && { lastRefusal }),
          },
        }
      },
    }
  }

  async send(message: OutgoingMessage): Promise<SendResult> {
    try {
      checkMessage(message, this.#options.channel)
    } catch (error) {
      // Whatever the overflow strategy: this is a mistake of the caller, not an overflow.
      this.counters.failed += 1
      throw error
    }
    const traces = tracing()
    if (traces === undefined) return await this.#send(message)
    const span = beginSend(traces, message, message.topic ?? this.#options.topic)
    try {
      // The writer goes on after this message.
      const result = await traces.outside(() => this.#send(span.message))
      span.end(result)
      return result
    } catch (error) {
      span.end({ error })
      throw error
    }
  }

  async #send(message: OutgoingMessage): Promise<SendResult> {
    const { channel, overflow, bufferSize, bufferBytes } = this.#options
    if (this.#closed !== undefined) return await this.#refuse(this.#closedError())
    const bytes = messageBytes(message)
    if (bytes > bufferBytes) {
      const problem = `a message must be at most bufferBytes, ${bufferBytes} bytes, received ${bytes} bytes`
      return await this.#refuse(new InvalidMessageError(`${problem}: channel ${channel}`, { channel }))
    }
    if (this.#connection.producer === undefined && overflow !== 'buffer') return await this.#refuse(this.#notReady())
    if (this.#pending.size >= bufferSize || this.#pendingBytes + bytes > bufferBytes) {
      const held = `${this.#pending.size} messages of ${this.#pendingBytes} bytes`
      return await this.#refuse(new BufferFullError(`${held} wait already: channel ${channel}`, { channel }))
    }
    const send = new PendingSend(message, bytes, this.#sendRules)
    this.#pending.add(send)
    this.#pendingBytes += bytes
    this.#writer.push(send)
    return await send.result
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  #answer(send: PendingSend, error: MessagingError | undefined): SendResult | Promise<SendResult> {
    this.#pending.delete(send)
    this.#pendingBytes -= send.bytes
    if (error instanceof SendRefusedError) this.#noteRefusal(send.message, error)
    if (error !== undefined) return this.#refuse(error)
    this.counters.sent += 1
    this.#lastRefusal = undefined
    return { accepted: true }
  }

  #noteRefusal({ topic = this.#options.topic }: OutgoingMessage, { cause }: SendRefusedError): void {
    const { channel } = this.#options
    const answer = brokerAnswer(cause)
    this.#lastRefusal = answer === undefined ? reasonOf(cause) : `${answer.type}: ${answer.message}`
    this.#refusals.refused({ channel, topic, reason: this.#lastRefusal })
  }

  /** Drops or rejects a message, by the overflow strategy. */
  #refuse(error: MessagingError): Promise<SendResult> {
    const isDrop = this.#options.overflow === 'drop'
    const isInvalid = error instanceof SendRefusedError || error instanceof InvalidMessageError
    if (isDrop && !isInvalid) this.counters.dropped += 1
    else this.counters.failed += 1
    return isDrop ? Promise.resolve({ accepted: false, error }) : Promise.reject(error)
  }

  #timeOut(send: PendingSend): void {
    const { channel, timeoutMs } = this.#options
    send.settle(new SendTimeoutError(`Kafka did not confirm within ${timeoutMs} ms: channel ${channel}`, { channel }))
    this.#writer.trim()
  }

  /** After a lost connection messages are written again, except with `drop`, which does not wait for a connection. */
  #keepOrDrop(batch: readonly PendingSend[], cause: unknown): void {
    if (this.#options.overflow !== 'drop') this.#writer.putBack(batch)
    else for (const send of this.#pending) send.settle(this.#notReady(cause))
  }

  #notReady(cause?: unknown): ChannelNotReadyError {
    const { channel } = this.#options
    return new ChannelNotReadyError(`Kafka is not reachable: channel ${channel}`, { channel, cause })
  }

  #closedError(): ChannelClosedError {
    const { channel } = this.#options
    return new ChannelClosedError(`Channel ${channel} is closed`, { channel })
  }

  async #close(): Promise<void> {
    // Each message has its time limit; without a connection none of them can be confirmed.
    const isConnected = this.#connection.producer !== undefined
    if (isConnected) await Promise.allSettled([...this.#pending].map(({ result }) => result))
    for (const send of this.#pending) send.settle(this.#closedError())
    await this.#connection.close()
  }
}
