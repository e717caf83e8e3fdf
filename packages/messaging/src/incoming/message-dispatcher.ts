import { tracing } from '@taproom/core/spans'
import type { EachBatchPayload } from '@taproom/kafkajs'
import { InFlightLimit } from '../channel/in-flight-limit.ts'
import type { IncomingMessage } from '../channel/message.ts'
import { messageBytes } from '../channel/message-bytes.ts'
import { Turn } from '../channel/turn.ts'
import { isTransient, type TransientFailures } from '../group/transient-failures.ts'
import { detached, fromKafkaRecord, type KafkaRecord, placeAndReason, type Undecodable } from '../kafka/record.ts'
import { duringProcess } from '../spans/message-spans.ts'
import type { AssignedPartition } from './assigned-partitions.ts'
import type { FailureHandler } from './failure-handler.ts'
import type { IncomingCounters, IncomingOptions } from './incoming-channel.ts'

interface MessageDispatcherOptions
  extends Pick<Required<IncomingOptions>, 'groupId' | 'concurrency' | 'bufferBytes' | 'onMessage'> {
  readonly heartbeatIntervalMs: number
  readonly failures: FailureHandler
  readonly transientFailures: TransientFailures
}

type Counts = { -readonly [name in keyof Omit<IncomingCounters, 'deadLettered' | 'restarts'>]: number }

/** Passes messages to `onMessage` in their order, within the limit of messages in flight, and acknowledges them. */
export class MessageDispatcher {
  readonly counts: Counts = { received: 0, acknowledged: 0, failed: 0, unreadable: 0 }
  /** Where the last record is that could not be decoded, and why. */
  lastUnreadable: string | undefined
  readonly #options: MessageDispatcherOptions
  readonly #inFlight: InFlightLimit
  readonly #stopping = new AbortController()

  constructor(options: MessageDispatcherOptions) {
    this.#options = options
    this.#inFlight = new InFlightLimit(options.concurrency, options.bufferBytes)
  }

  /** Dispatches no more messages. */
  stop(): void {
    this.#stopping.abort()
  }

  /** Resolves when no message is in flight. */
  idle(): Promise<void> {
    return this.#inFlight.idle()
  }

  /** Resolves when the last message of the batch has been dispatched, or `broken` has aborted. */
  async dispatch(payload: EachBatchPayload, assigned: AssignedPartition, broken: AbortSignal): Promise<void> {
    const { topic, partition, messages } = payload.batch
    const { heartbeatIntervalMs } = this.#options
    const inFlight = this.#inFlight
    // One signal for the whole batch: signals for each message would pile up on the long-lived ones they follow, and removing
    // them takes quadratic time.
    const until = AbortSignal.any([broken, this.#stopping.signal, assigned.tracker.lost.signal])
    let beatAt = Date.now()
    const turn = new Turn()
    for (const record of messages) {
      const message = fromKafkaRecord(topic, partition, record)
      const bytes = messageBytes(message)
      if (!inFlight.tryAcquire(bytes) && !(await inFlight.acquire(until, bytes))) return
      if (until.aborted || payload.isStale() || !payload.isRunning()) {
        inFlight.release(bytes)
        return
      }
      payload.resolveOffset(record.offset)
      const first = record.undecodable?.firstOffset ?? record.offset
      if (assigned.tracker.admit(BigInt(record.offset), BigInt(first))) {
        void this.#handle(detached(message), record, assigned).finally(() => inFlight.release(bytes))
      } else {
        inFlight.release(bytes)
      }
      const now = Date.now()
      if (now - beatAt > heartbeatIntervalMs / 2) {
        await payload.heartbeat()
        beatAt = now
      }
      if (turn.isOver) await turn.next()
    }
  }

  /** Never rejects. */
  async #handle(
    message: IncomingMessage,
    { undecodable }: Pick<KafkaRecord, 'undecodable'>,
    { tracker, signal }: AssignedPartition,
  ): Promise<void> {
    const records = undecodable?.records ?? 1
    this.counts[undecodable === undefined ? 'received' : 'unreadable'] += records
    const isSettled =
      undecodable === undefined ? this.#isDone(message, signal) : this.#isSetAside(message, undecodable, signal)
    const canAcknowledge = await isSettled
    this.#options.transientFailures.end(message)
    if (!canAcknowledge) return
    tracker.acknowledge(BigInt(message.offset))
    this.counts.acknowledged += records
  }

  #isSetAside(message: IncomingMessage, undecodable: Undecodable, signal: AbortSignal): Promise<boolean> {
    const { error, records } = undecodable
    this.lastUnreadable = placeAndReason(message, undecodable)
    return this.#options.failures.settle(message, { error, unreadable: records }, signal)
  }

  /** Whether the message can be acknowledged; else it is read again. Never rejects. */
  async #isDone(message: IncomingMessage, signal: AbortSignal): Promise<boolean> {
    const { failures, transientFailures } = this.#options
    for (let until: AbortSignal | undefined; until?.aborted !== true; ) {
      try {
        await this.#pass(message, signal)
        return true
      } catch (error) {
        // The handler failed because of the abort.
        if (signal.aborted) return false
        if (!isTransient(error)) {
          this.counts.failed += 1
          return await failures.settle(message, { error }, signal)
        }
        until ??= AbortSignal.any([signal, this.#stopping.signal])
        await transientFailures.wait(message, { message, error }, until)
      }
    }
    return false
  }

  #pass(message: IncomingMessage, signal: AbortSignal): Promise<void> | void {
    const { onMessage } = this.#options
    const traces = tracing()
    if (traces === undefined) return onMessage(message, signal)
    return duringProcess(traces, message, this.#options, async () => await onMessage(message, signal))
  }
}
