import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import type { TransactionOutcome } from '../records/control-batch.ts'
import type { BatchHeader } from '../records/record-batch.ts'

/** As Apache Kafka: retries of the last five batches are recognised. */
const REMEMBERED_BATCHES = 5
const SEQUENCES = 2_147_483_648
const MAX_PRODUCERS = 10_000

interface SentBatch {
  readonly baseSequence: number
  readonly lastSequence: number
  readonly baseOffset: number
  /** Absent in checkpoints of older versions. */
  readonly maxTimestamp?: number
}

/** Where a batch is in the log, and the time it has there. */
export interface Appended {
  readonly baseOffset: number
  /** In milliseconds since 1970; -1 for none. */
  readonly maxTimestamp: number
}

interface Producer {
  epoch: number
  /** Of its last batch, in milliseconds since 1970; absent in checkpoints of older versions. */
  lastTimestamp?: number
  batches: SentBatch[]
}

/** A producer in the answer to DescribeProducers. */
export interface ActiveProducer {
  readonly producerId: number
  readonly producerEpoch: number
  /** -1 when none is known. */
  readonly lastSequence: number
  readonly lastTimestamp: number
  /** First offset of its open transaction, -1 without one. */
  readonly currentTxnStartOffset: number
}

/** A transaction that readers with read_committed must skip. */
export interface AbortedTransaction {
  readonly producerId: number
  readonly firstOffset: number
  readonly lastOffset: number
}

/** In JSON. */
export interface SavedProducers {
  readonly producers: readonly (readonly [number, Producer])[]
  readonly openSince: readonly (readonly [number, number])[]
  readonly aborted: readonly AbortedTransaction[]
}

/** By the offsets, which stay when the cleaner takes records out of a batch. */
function lastSequenceOf(header: BatchHeader): number {
  return (header.baseSequence + header.lastOffset - header.baseOffset) % SEQUENCES
}

/** The idempotent and transactional producers of one partition (KIP-98). */
export class ProducerStates {
  /** In the order of last use, so that the longest unused can be forgotten. */
  readonly #producers = new Map<number, Producer>()
  /** First offsets of open transactions, in the order of the log: the first is the lowest. */
  readonly #openSince = new Map<number, number>()
  #aborted: AbortedTransaction[] = []

  /**
   * The same batch if it was appended before, undefined for a new one.
   * @throws {ProtocolError} when the producer is fenced or its sequence has a gap
   */
  check(header: BatchHeader): Appended | undefined {
    const producer = this.#producers.get(header.producerId)
    if (!producer) return undefined
    if (header.producerEpoch < producer.epoch) {
      throw new ProtocolError(ErrorCode.INVALID_PRODUCER_EPOCH, 'a newer instance of this producer has written here')
    }
    if (header.producerEpoch > producer.epoch) {
      if (header.baseSequence !== 0) throw this.#outOfOrder(header, -1)
      return undefined
    }
    const lastSequence = lastSequenceOf(header)
    const earlier = producer.batches.find(
      (batch) => batch.baseSequence === header.baseSequence && batch.lastSequence === lastSequence,
    )
    if (earlier) return { maxTimestamp: -1, ...earlier }
    const previous = producer.batches.at(-1)
    if (previous && (previous.lastSequence + 1) % SEQUENCES !== header.baseSequence) {
      throw this.#outOfOrder(header, previous.lastSequence)
    }
    return undefined
  }

  #outOfOrder(header: BatchHeader, last: number): ProtocolError {
    return new ProtocolError(
      ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
      `sequence ${header.baseSequence} does not follow ${last}`,
    )
  }

  /** Call with each batch that is in the log. */
  note(header: BatchHeader): void {
    if (header.producerId < 0) return
    const producer = this.#touch(header)
    producer.lastTimestamp = header.maxTimestamp
    producer.batches.push({
      baseSequence: header.baseSequence,
      lastSequence: lastSequenceOf(header),
      baseOffset: header.baseOffset,
      maxTimestamp: header.maxTimestamp,
    })
    if (producer.batches.length > REMEMBERED_BATCHES) producer.batches.shift()
    if (header.isTransactional && !this.#openSince.has(header.producerId)) {
      this.#openSince.set(header.producerId, header.baseOffset)
    }
  }

  /** Call with each marker that ends a producer's transaction. */
  noteMarker(header: BatchHeader, outcome: TransactionOutcome): void {
    this.#touch(header)
    const firstOffset = this.#openSince.get(header.producerId)
    if (firstOffset === undefined) return
    this.#openSince.delete(header.producerId)
    if (outcome === 'commit') return
    this.#aborted.push({ producerId: header.producerId, firstOffset, lastOffset: header.baseOffset })
  }

  #touch(header: BatchHeader): Producer {
    const known = this.#producers.get(header.producerId)
    const producer = known ?? { epoch: header.producerEpoch, batches: [] }
    if (producer.epoch !== header.producerEpoch) {
      producer.epoch = header.producerEpoch
      producer.batches = []
    }
    this.#producers.delete(header.producerId)
    this.#producers.set(header.producerId, producer)
    if (this.#producers.size > MAX_PRODUCERS) this.#forgetOldest()
    return producer
  }

  #forgetOldest(): void {
    for (const producerId of this.#producers.keys()) {
      if (this.#openSince.has(producerId)) continue
      this.#producers.delete(producerId)
      return
    }
  }

  active(): readonly ActiveProducer[] {
    return [...this.#producers].map(([producerId, { epoch, batches, lastTimestamp = -1 }]) => ({
      producerId,
      producerEpoch: epoch,
      lastSequence: batches.at(-1)?.lastSequence ?? -1,
      lastTimestamp,
      currentTxnStartOffset: this.#openSince.get(producerId) ?? -1,
    }))
  }

  isOpen(producerId: number): boolean {
    return this.#openSince.has(producerId)
  }

  /** First offset of the oldest open transaction, if any. */
  firstOpenOffset(): number | undefined {
    return this.#openSince.values().next().value
  }

  /** The aborted transactions that touch offsets from `fromOffset` up to but not including `beforeOffset`. */
  abortedWithin(fromOffset: number, beforeOffset: number): readonly AbortedTransaction[] {
    return this.#aborted.filter((each) => each.lastOffset >= fromOffset && each.firstOffset < beforeOffset)
  }

  save(): SavedProducers {
    return { producers: [...this.#producers], openSince: [...this.#openSince], aborted: this.#aborted }
  }

  /** Forgets everything else. */
  restore(saved: SavedProducers): void {
    this.#producers.clear()
    this.#openSince.clear()
    for (const [producerId, producer] of saved.producers) {
      this.#producers.set(producerId, { ...producer, batches: [...producer.batches] })
    }
    for (const [producerId, offset] of saved.openSince) this.#openSince.set(producerId, offset)
    this.#aborted = [...saved.aborted]
  }

  /** Forgets aborted transactions that lie wholly before the start of the log. */
  forgetBefore(startOffset: number): void {
    this.#aborted = this.#aborted.filter((each) => each.lastOffset >= startOffset)
  }
}
