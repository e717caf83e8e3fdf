import { atMost, createBackOff } from '@taproom/core/time'
import { InFlightLimit } from '../channel/in-flight-limit.ts'
import { Turn } from '../channel/turn.ts'
import { isOutOfRange } from '../kafka/broker-answer.ts'
import { RETRY_WAITS } from '../kafka/client.ts'
import type { FanOutSubscription, NeededAttribute } from './fan-out.ts'
import type { Place } from './place.ts'
import { type Bounds, type Found, Places } from './places.ts'
import type { CheckedOptions, Reading } from './reading.ts'
import type { SharedMessage } from './shared-message.ts'
import { isWanted, tell, tellUnwanted } from './telling.ts'

const ABORTED_HANDLER_LIMIT_MS = 500
export const COMMIT_LIMIT_MS = 3000
/** Messages that wait because too many are in flight: beyond that it reads by itself. */
const MAX_WAITING = 200
const MAX_WAITING_BYTES = 4 * 1024 * 1024

/** One of those that messages are offered to, and what it has in flight. */
export class KafkaFanOutSubscription<T> implements FanOutSubscription {
  readonly #reading: Reading<T>
  readonly #options: CheckedOptions<T>
  readonly #inFlight: InFlightLimit
  readonly #stopping = new AbortController()
  readonly #expired = new AbortController()
  readonly #places: Places
  #waiting = 0
  #waitingBytes = 0
  /** Something was handled since the last commit. */
  #isBusy = false
  #committing: Promise<void> | undefined
  #closed: Promise<void> | undefined

  constructor(reading: Reading<T>, options: CheckedOptions<T>) {
    this.#reading = reading
    this.#options = options
    this.#inFlight = new InFlightLimit(options.concurrency, options.bufferBytes)
    const signals = { stopping: this.#stopping.signal, expired: this.#expired.signal }
    const { kafka, admin, commits, topic } = reading
    this.#places = new Places({ kafka, admin, commits, topic, groupId: options.groupId, signals })
  }

  get groupId(): string {
    return this.#options.groupId
  }

  get isBehind(): boolean {
    return [...this.#places].some((place) => place.isBehind)
  }

  get unasked(): number {
    return this.#places.unasked
  }

  /** The attribute that a message must have for it to be wanted; undefined: it is asked about each. */
  get needs(): NeededAttribute | undefined {
    try {
      return this.#options.needs?.()
    } catch {
      return undefined // it is asked about each message, and what that throws is told
    }
  }

  get isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  changed(): void {
    // What went by until now is stored: it would be looked at in another way when it is read again.
    this.#isBusy = true
    this.#options.onChanged()
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  /** Whether it is to find its place in one of these partitions. */
  isToFind(partitions: readonly number[]): boolean {
    return !this.#stopping.signal.aborted && partitions.some((partition) => this.#places.get(partition) === undefined)
  }

  /** Undefined while it has none. */
  placeIn(partition: number): Place | undefined {
    return this.#places.get(partition)
  }

  /** See {@link Places}. */
  stored(): Promise<Found> {
    return this.#places.read()
  }

  /** Without what is stored it has no places, and is to find them later. */
  restore(partitions: readonly number[], found: Found | undefined, bounds: Bounds): void {
    if (found === undefined) this.#places.loseAll()
    else this.#places.restore(partitions, found, bounds)
  }

  /** Begins to read by itself wherever it is behind. */
  begin(): void {
    for (const place of this.#places) if (place.isBehind) void this.#catchUp(place)
  }

  /** Takes the next message of a partition, unless it has it already, or is to read it by itself. Never throws. */
  offer(partition: number, shared: SharedMessage<T>): void {
    const place = this.#places.get(partition)
    if (place === undefined || place.until.aborted || place.isBehind || shared.offset < place.next) return
    if (!isWanted(this.#options, shared)) {
      this.#passBy(place, shared)
    } else if (this.#inFlight.tryAcquire(shared.bytes)) {
      place.admit(shared.offset)
      void this.#handle(place, shared)
    } else if (this.#waiting >= MAX_WAITING || this.#waitingBytes + shared.bytes > MAX_WAITING_BYTES) {
      place.isBehind = true
      void this.#catchUp(place)
    } else {
      place.admit(shared.offset)
      void this.#handleInTurn(place, shared)
    }
  }

  /** Stores all that is done, also what the request in flight does not. Never rejects. */
  async commitLast(): Promise<void> {
    // Its retries must not arrive after the last one.
    await atMost(this.#committing ?? Promise.resolve(), COMMIT_LIMIT_MS)
    await atMost(this.commit({ isInTurn: true }), COMMIT_LIMIT_MS)
  }

  /** Stores how far it is; what it only passed by `isInTurn`, or when that is far. One request at a time. Never rejects. */
  commit({ isInTurn }: { readonly isInTurn: boolean }): Promise<void> {
    if (isInTurn || this.#isBusy || this.#places.isFar) this.#committing ??= this.#commit()
    return this.#committing ?? Promise.resolve()
  }

  async #commit(): Promise<void> {
    this.#isBusy = false
    if (!(await this.#places.commit())) this.#isBusy = true
    this.#committing = undefined
  }

  async #handleInTurn(place: Place, shared: SharedMessage<T>): Promise<void> {
    const { bytes } = shared
    this.#waiting += 1
    this.#waitingBytes += bytes
    const isAdmitted = await this.#inFlight.acquire(place.until, bytes)
    this.#waiting -= 1
    this.#waitingBytes -= bytes
    if (isAdmitted) await this.#handle(place, shared)
  }

  /** Goes on behind a message that is not wanted. Never throws. */
  #passBy(place: Place, shared: SharedMessage<T>): void {
    place.pass(shared.next)
    if (this.#options.onUnwanted !== undefined && shared.isSampled) void tellUnwanted(this.#options, shared)
  }

  /** Handles a message that was acquired. Never rejects. */
  async #handle({ until, signal, tracker }: Place, shared: SharedMessage<T>): Promise<void> {
    try {
      if (until.aborted) return
      try {
        await tell(this.#options, shared, signal)
      } catch (error) {
        // The handler failed because of the abort.
        if (signal.aborted) return
        const { partition, offset } = shared.message
        const { groupId } = this.#options
        this.#reading.kafka.log.error({ groupId, partition, offset, err: error }, 'message handler failed, ignored')
      }
      tracker.acknowledge(shared.offset)
      this.#isBusy = true
    } finally {
      this.#inFlight.release(shared.bytes)
    }
  }

  /** Reads by itself, until it has reached what is offered to all, or the partition is not read any more. */
  async #catchUp(place: Place): Promise<void> {
    if (place.isCatchingUp) return
    place.isCatchingUp = true
    const backOff = createBackOff(RETRY_WAITS)
    while (this.#isToCatchUp(place)) {
      try {
        const { messages, next } = await this.#reading.fetch(place.partition, place.next)
        const isProgress = next > place.next
        const isDone = await this.#takeAll(place, messages)
        // Records of transactions, and what compaction took away.
        if (isDone && place.next < next) place.pass(next)
        if (isProgress) backOff.reset()
        // An open transaction, say.
        else await backOff.wait(place.until)
      } catch (error) {
        this.#reading.kafka.log.debug({ groupId: this.#options.groupId, err: error }, 'kafka records not read')
        if (isOutOfRange(error)) await this.#places.skipDeleted(place).catch(() => undefined)
        await backOff.wait(place.until)
      }
    }
    place.isCatchingUp = false
  }

  /** False from the moment on when what is offered to all is the next for it, too. */
  #isToCatchUp(place: Place): boolean {
    const head = this.#reading.headOf(place.partition)
    if (place.until.aborted || head === undefined) return false
    if (place.next >= head) place.isBehind = false
    return place.isBehind
  }

  /** In order, each when there is room; false when it was stopped before. */
  async #takeAll(place: Place, messages: readonly SharedMessage<T>[]): Promise<boolean> {
    const turn = new Turn()
    for (const shared of messages) {
      if (place.until.aborted) return false
      if (shared.offset < place.next) continue
      if (isWanted(this.#options, shared)) {
        place.admit(shared.offset)
        const { bytes } = shared
        if (!this.#inFlight.tryAcquire(bytes) && !(await this.#inFlight.acquire(place.until, bytes))) return false
        void this.#handle(place, shared)
      } else this.#passBy(place, shared)
      if (turn.isOver) await turn.next(this.#reading.turn())
    }
    return !place.until.aborted
  }

  async #close(): Promise<void> {
    this.#stopping.abort()
    this.#options.onStopping()
    await atMost(this.#inFlight.idle(), this.#options.graceMs)
    this.#expired.abort()
    await atMost(this.#inFlight.idle(), ABORTED_HANDLER_LIMIT_MS)
    this.#options.onClosed()
    await this.commitLast()
    this.#places.loseAll()
  }
}
