import { Alarms } from '../alarms.ts'
import type { Clock } from '../clock.ts'
import type { OffsetStore } from '../groups/offset-store.ts'
import { ErrorCode } from '../protocol/error-code.ts'
import { failureOf, ProtocolError } from '../protocol/protocol-error.ts'
import type { TransactionOutcome } from '../records/control-batch.ts'
import type { StateStore } from '../storage/state-store.ts'
import type { TopicCatalog } from '../topics/topic-catalog.ts'
import { decidedAtLeast, isLeaderMissing } from './missing-leaders.ts'
import { type Added, checkInit, extended, includes, type Ongoing, opened } from './ongoing.ts'
import type { ProducerIds } from './producer-ids.ts'
import {
  highestEpochs,
  isSameProducer,
  isTransaction,
  type ProducerIdentity,
  type Transaction,
  type TransactionPartition,
  type TransactionPhase,
} from './transaction.ts'

const TABLE = 'transactions'
const RETRY_MS = 1000
/** The highest epoch a producer gets. The one above it fences a producer whose id is given up. */
const LAST_EPOCH = 32_766

export interface TransactionCoordinatorOptions {
  readonly state: StateStore
  readonly topics: TopicCatalog
  readonly offsets: OffsetStore
  readonly producerIds: ProducerIds
  readonly clock: Clock
  readonly maxTransactionalIds: number
}

/** Transactions across partitions and consumer groups (KIP-98): begins, ends and times them out, and finishes them after a kill. */
export class TransactionCoordinator {
  readonly #options: TransactionCoordinatorOptions
  readonly #deadlines: Alarms

  constructor(options: TransactionCoordinatorOptions) {
    this.#options = options
    this.#deadlines = new Alarms(options.clock)
    const stored = options.state.checkedTable<Transaction>(TABLE, (_id, value) => isTransaction(value))
    for (const [id, transaction] of [...stored]) this.#resume(id, transaction)
  }

  /** By transactional id. */
  get all(): ReadonlyMap<string, Transaction> {
    return this.#options.state.table<Transaction>(TABLE)
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#options.clock.now()
  }

  #resume(id: string, transaction: Transaction): void {
    if (transaction.phase.kind === 'ending') decidedAtLeast(() => this.#decided(id))
    if (transaction.phase.kind === 'ongoing') this.#watch(id, transaction as Ongoing)
  }

  #save(id: string, transaction: Transaction): void {
    this.#options.state.write([{ table: TABLE, id, value: transaction }])
  }

  /** An id for a producer that is idempotent but not transactional. */
  newProducer(): ProducerIdentity {
    return { producerId: this.#options.producerIds.next(), producerEpoch: 0 }
  }

  /** Takes over a transactional id: aborts its open transaction, and fences earlier producers by a higher epoch. */
  init(id: string, timeoutMs: number, expected: ProducerIdentity): ProducerIdentity {
    checkInit(id, timeoutMs)
    const known = this.#decided(id)
    if (!known) return this.#begin(id, timeoutMs)
    const isExpected = expected.producerId === known.producerId && expected.producerEpoch === known.producerEpoch
    if (expected.producerId >= 0 && !isExpected) {
      throw new ProtocolError(ErrorCode.PRODUCER_FENCED, 'a newer producer uses this transactional id')
    }
    const fenced = this.#bumped(known)
    if (known.phase.kind === 'ongoing') this.#end(id, { ...fenced, phase: known.phase }, 'abort', known.producerId)
    this.#save(id, { ...fenced, timeoutMs, phase: { kind: 'empty' } })
    return fenced
  }

  #begin(id: string, timeoutMs: number): ProducerIdentity {
    const { maxTransactionalIds } = this.#options
    if (this.all.size >= maxTransactionalIds) {
      throw new ProtocolError(
        ErrorCode.POLICY_VIOLATION,
        `this broker holds at most ${maxTransactionalIds} transactional ids`,
      )
    }
    const producer = this.newProducer()
    this.#save(id, { ...producer, timeoutMs, phase: { kind: 'empty' } })
    return producer
  }

  /** The next epoch of the same producer id, or a new id when the epochs are used up. */
  #bumped({ endedBy: _earlier, ...transaction }: Transaction): Transaction {
    if (transaction.producerEpoch < LAST_EPOCH) return { ...transaction, producerEpoch: transaction.producerEpoch + 1 }
    return { ...transaction, ...this.newProducer() }
  }

  /** A transactional id, after finishing an end that failed half-way (the disk was full). */
  #decided(id: string): Transaction | undefined {
    const known = this.all.get(id)
    if (known?.phase.kind === 'ending') this.#finish(id, known, known.phase)
    return this.all.get(id)
  }

  #require(id: string, producer: ProducerIdentity): Transaction {
    const known = this.#decided(id)
    if (!known || known.producerId !== producer.producerId) {
      throw new ProtocolError(ErrorCode.INVALID_PRODUCER_ID_MAPPING, 'this producer does not own the transactional id')
    }
    if (known.producerEpoch !== producer.producerEpoch) {
      throw new ProtocolError(ErrorCode.PRODUCER_FENCED, 'a newer producer uses this transactional id')
    }
    return known
  }

  /** Adds partitions and a group to the open transaction, or to a new one. */
  add(id: string, producer: ProducerIdentity, added: Added): void {
    const known = this.#require(id, producer)
    const isNew = known.phase.kind !== 'ongoing'
    const phase = extended(known.phase.kind === 'ongoing' ? known.phase : opened(this.#options.clock.now()), added)
    if (phase === known.phase) return
    const ongoing = { ...known, phase }
    this.#save(id, ongoing)
    if (isNew) this.#watch(id, ongoing)
  }

  #watch(id: string, { phase, timeoutMs }: Ongoing): void {
    const left = Math.max(0, phase.startedAt + timeoutMs - this.#options.clock.now())
    this.#deadlines.set(id, left, () => this.#timeOut(id))
  }

  #timeOut(id: string): void {
    try {
      const known = this.#decided(id)
      if (known?.phase.kind !== 'ongoing') return
      this.#end(id, { ...this.#bumped(known), phase: known.phase }, 'abort', known.producerId)
    } catch (error) {
      failureOf(error)
      // The disk is full or gone: for readers the transaction stays open until it is back.
      this.#deadlines.set(id, RETRY_MS, () => this.#timeOut(id))
    }
  }

  /**
   * Aborts all open transactions, as when they have taken too long, and knows the epochs of those who have written: state from before may
   * be lost. What cannot be aborted now is aborted when it has taken too long.
   */
  abandonAll(written: readonly ProducerIdentity[]): void {
    const epochs = highestEpochs(written)
    for (const [id, known] of [...this.all]) {
      const producerEpoch = Math.max(known.producerEpoch, epochs.get(known.producerId) ?? -1)
      if (producerEpoch > known.producerEpoch) this.#save(id, { ...known, producerEpoch })
      if (known.phase.kind === 'ongoing') this.#timeOut(id)
    }
  }

  /** @throws {ProtocolError} when this producer may not write to this partition in its open transaction */
  checkWrite(id: string, producer: ProducerIdentity, partition: TransactionPartition): void {
    const known = this.all.get(id)
    if (!known || known.producerId !== producer.producerId || known.producerEpoch !== producer.producerEpoch) {
      throw new ProtocolError(ErrorCode.INVALID_PRODUCER_EPOCH, 'a newer producer uses this transactional id')
    }
    if (known.phase.kind !== 'ongoing' || !includes(known.phase.partitions, partition)) {
      throw new ProtocolError(ErrorCode.INVALID_TXN_STATE, 'the partition is not part of an open transaction')
    }
  }

  /** @throws {ProtocolError} when this producer may not commit offsets of this group in its open transaction */
  checkOffsets(id: string, producer: ProducerIdentity, groupId: string): void {
    const { phase } = this.#require(id, producer)
    if (phase.kind !== 'ongoing' || !phase.groups.includes(groupId)) {
      throw new ProtocolError(ErrorCode.INVALID_TXN_STATE, 'the group is not part of an open transaction')
    }
  }

  /** Ends the open transaction. Ending it again in the same way is a retry and changes nothing. */
  end(id: string, producer: ProducerIdentity, outcome: TransactionOutcome): void {
    const known = this.#require(id, producer)
    if (known.phase.kind === 'ended' && known.phase.outcome === outcome) return
    if (known.phase.kind !== 'ongoing') throw new ProtocolError(ErrorCode.INVALID_TXN_STATE, 'no transaction is open')
    const { phase } = known
    decidedAtLeast(() => this.#end(id, { ...known, phase }, outcome, known.producerId))
  }

  /**
   * Like {@link end}, and the producer goes on with the next epoch, so that nothing late of this transaction gets into the next one
   * (KIP-890). A retry is known by the epoch before; to abort, no transaction has to be open.
   */
  endAndBump(id: string, producer: ProducerIdentity, outcome: TransactionOutcome): ProducerIdentity {
    const earlier = this.#decided(id)
    if (earlier?.endedBy && isSameProducer(earlier.endedBy, producer)) {
      if (earlier.phase.kind === 'ended' && earlier.phase.outcome === outcome) return earlier
      if (earlier.phase.kind === 'ongoing')
        throw new ProtocolError(ErrorCode.PRODUCER_FENCED, 'the next transaction is open')
      throw new ProtocolError(ErrorCode.INVALID_TXN_STATE, 'the transaction has ended in another way')
    }
    const known = this.#require(id, producer)
    const isOpen = known.phase.kind === 'ongoing'
    if (!isOpen && outcome === 'commit') throw new ProtocolError(ErrorCode.INVALID_TXN_STATE, 'no transaction is open')
    const phase = known.phase.kind === 'ongoing' ? known.phase : opened(this.#options.clock.now())
    const { producerId, producerEpoch } = producer
    const next = { ...this.#bumped(known), phase, endedBy: { producerId, producerEpoch } }
    decidedAtLeast(() => this.#end(id, next, outcome, known.producerId))
    return next
  }

  /** Writes the decision down before it reaches the first partition: a kill in between cannot leave it half done. */
  #end(id: string, transaction: Ongoing, outcome: TransactionOutcome, writer: number): void {
    this.#deadlines.clear(id)
    const phase = { kind: 'ending' as const, outcome, partitions: transaction.phase.partitions, writer }
    const ending = { ...transaction, phase }
    this.#save(id, ending)
    this.#finish(id, ending, phase)
  }

  #finish(id: string, transaction: Transaction, phase: Extract<TransactionPhase, { readonly kind: 'ending' }>): void {
    const { topics, offsets, clock } = this.#options
    const { outcome, writer } = phase
    if (isLeaderMissing(topics, phase.partitions)) {
      this.#deadlines.set(id, RETRY_MS, () => this.#timeOut(id))
      throw new ProtocolError(ErrorCode.CONCURRENT_TRANSACTIONS, 'a partition of the transaction has no leader')
    }
    // A producer id that was given up is fenced by the highest epoch.
    const producerEpoch = writer === transaction.producerId ? transaction.producerEpoch : LAST_EPOCH + 1
    for (const { topic, partition } of phase.partitions) {
      const found = topics.find(topic)?.partitions[partition]
      found?.endTransaction({ producerId: writer, producerEpoch, outcome, timestamp: clock.now() })
    }
    offsets.settle(writer, outcome)
    this.#save(id, { ...transaction, phase: { kind: 'ended', outcome } })
  }

  close(): void {
    this.#deadlines.clearAll()
  }
}
