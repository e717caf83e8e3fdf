import type { Clock } from '../clock.ts'
import { DueWork } from '../due-work.ts'
import type { ShareRules } from '../settings/group-settings.ts'
import { MAX_DELIVERIES, MAX_IN_FLIGHT } from '../settings/share-settings.ts'
import { type Acknowledgement, acknowledge, released } from './acknowledgement.ts'
import { type AcquiredRecords, type Acquisition, acquire } from './acquisition.ts'
import { holes, type InFlight, replaced, type Span, since } from './in-flight.ts'
import type { SavedPartition } from './saved-partition.ts'
import { restored, saved } from './saved-partition.ts'

/** Between two rounds of taking back what members had for too long. */
const LOCK_CHECK_MS = 10

export interface SharePartitionOptions {
  readonly clock: Clock
  readonly rules: () => ShareRules
  /** Keeps what has changed. */
  readonly save: (partition: SavedPartition) => void
}

/** The records of a partition that a share group is at: who has which, and how often each was delivered (KIP-932). */
export class SharePartition {
  readonly #options: SharePartitionOptions
  readonly #listeners = new Set<() => void>()
  readonly #locks: DueWork
  /** Of the leader whose records these are. */
  readonly leaderEpoch: number
  #startOffset: number
  #parts: readonly InFlight[]

  constructor(options: SharePartitionOptions, known: SavedPartition) {
    this.#options = options
    this.leaderEpoch = known.leaderEpoch
    this.#startOffset = known.startOffset
    this.#parts = restored(known)
    this.#locks = new DueWork({
      work: (now) => this.#unlock(now),
      clock: options.clock,
      firstMs: 0,
      intervalMs: LOCK_CHECK_MS,
    })
  }

  /** All before it is done with. */
  get startOffset(): number {
    return this.#startOffset
  }

  /** The first record that nobody has; undefined when no more may be in flight. */
  get nextOffset(): number | undefined {
    const end = this.#parts.at(-1)?.last ?? this.#startOffset - 1
    const available = this.#parts.find(({ state }) => state.is === 'available')?.first ?? end + 1
    const [hole] = holes(this.#parts, { first: this.#startOffset, last: end })
    const next = Math.min(available, hole?.first ?? available)
    const isFull = next > end && end - this.#startOffset + 1 >= MAX_IN_FLIGHT
    return isFull ? undefined : next
  }

  /** Passes by offsets that nobody is to get, as far as nobody has them: whether there were any. */
  skip(spans: readonly Span[]): boolean {
    let isChanged = false
    for (const { first, last } of spans) {
      const taken = this.#parts.filter(({ state }) => state.is !== 'available')
      for (const span of holes(taken, { first: Math.max(first, this.#startOffset), last })) {
        this.#parts = replaced(this.#parts, [{ ...span, deliveryCount: 0, state: { is: 'done' } }])
        isChanged = true
      }
    }
    this.#advance()
    return isChanged
  }

  /** The log begins here now. */
  moveStart(offset: number): void {
    if (offset <= this.#startOffset) return
    this.#startOffset = offset
    this.#parts = since(this.#parts, offset)
    this.#advance()
  }

  /** Gives a member what is available of the batches that were read. */
  acquire(wanted: Omit<Acquisition, 'until' | 'maxInFlight'>): readonly AcquiredRecords[] {
    const until = this.#options.clock.now() + this.#options.rules().recordLockMs
    const given = { startOffset: this.#startOffset, parts: this.#parts }
    const { parts, acquired } = acquire(given, { ...wanted, until, maxInFlight: MAX_IN_FLIGHT })
    this.#parts = parts
    if (acquired.length > 0) this.#locks.expectAt(until)
    return acquired
  }

  /** @throws {ProtocolError} INVALID_RECORD_STATE or INVALID_REQUEST, and nothing has changed */
  acknowledge(memberId: string, batches: readonly Acknowledgement[]): void {
    const startOffset = this.#startOffset
    this.#change(acknowledge({ startOffset, parts: this.#parts, memberId, maxDeliveries: MAX_DELIVERIES }, batches))
  }

  /** A member is gone: what it had counts as not delivered. */
  release(memberId: string): void {
    const isIts = ({ state }: InFlight): boolean => state.is === 'acquired' && state.memberId === memberId
    if (!this.#parts.some(isIts)) return
    const back = this.#parts
      .filter(isIts)
      .map((part): InFlight => ({ ...part, deliveryCount: part.deliveryCount - 1, state: { is: 'available' } }))
    this.#change(back.reduce<readonly InFlight[]>((parts, each) => replaced(parts, [each]), this.#parts))
  }

  #unlock(now: number): number | undefined {
    const isOver = ({ state }: InFlight): boolean => state.is === 'acquired' && state.until <= now
    if (this.#parts.some(isOver)) {
      this.#change(this.#parts.map((part) => (isOver(part) ? released(part, MAX_DELIVERIES) : part)))
    }
    const next = this.#parts.flatMap(({ state }) => (state.is === 'acquired' ? state.until : []))
    return next.length === 0 ? undefined : next.reduce((least, each) => Math.min(least, each))
  }

  /** Saves what is to be in flight, then has it; members that wait may find more. */
  #change(parts: readonly InFlight[]): void {
    const next = advanced(this.#startOffset, parts)
    this.#options.save(saved(next.startOffset, this.leaderEpoch, next.parts))
    this.#startOffset = next.startOffset
    this.#parts = next.parts
    for (const listener of [...this.#listeners]) listener()
  }

  #advance(): void {
    const next = advanced(this.#startOffset, this.#parts)
    this.#startOffset = next.startOffset
    this.#parts = next.parts
  }

  /** Calls `listener` when there may be more to acquire; call the result to stop that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Nobody has its records any more; those that wait look again. */
  close(): void {
    this.#locks.close()
    for (const listener of [...this.#listeners]) listener()
  }
}

/** Passes by what is done with at the start. */
function advanced(startOffset: number, parts: readonly InFlight[]) {
  let start = startOffset
  let count = 0
  for (const { first, last, state } of parts) {
    if (first !== start || state.is !== 'done') break
    start = last + 1
    count += 1
  }
  return { startOffset: start, parts: parts.slice(count) }
}
