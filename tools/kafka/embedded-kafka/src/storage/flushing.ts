/** When what is written is flushed to the device: Apache Kafka's `flush.messages` and `flush.ms`. */
export interface FlushLimits {
  /** After so many; 1 is after each. Infinity: never. */
  readonly everyCount: number
  /** After so many milliseconds; 0 is at once. Infinity: never. */
  readonly everyMs: number
}

/** The operating system decides, as with Apache Kafka's defaults. */
export const SELDOM: FlushLimits = { everyCount: Number.POSITIVE_INFINITY, everyMs: Number.POSITIVE_INFINITY }

const LONGEST_TIMER_MS = 2_147_483_647

/** Flushes by count and by time. */
export class Flushing {
  readonly #flush: () => void
  #limits: FlushLimits
  #count = 0
  #timer: NodeJS.Timeout | undefined

  /** `flush` must throw where it cannot. */
  constructor(limits: FlushLimits = SELDOM, flush: () => void) {
    this.#limits = limits
    this.#flush = flush
  }

  set limits(limits: FlushLimits | undefined) {
    this.#limits = limits ?? SELDOM
  }

  /** Call when so many were written: what is due is on the device when this returns. */
  noteWritten(count: number): void {
    const { everyCount, everyMs } = this.#limits
    this.#count += count
    if (this.#count >= everyCount || everyMs <= 0) this.now()
    else if (everyMs <= LONGEST_TIMER_MS) this.#wind()
  }

  #wind(): void {
    this.#timer ??= setTimeout(() => this.#flushLater(), this.#limits.everyMs).unref()
  }

  #flushLater(): void {
    this.#timer = undefined
    try {
      this.now()
    } catch {
      // The device is full or gone: tried again later.
      this.#wind()
    }
  }

  now(): void {
    this.#flush()
    this.stop()
    this.#count = 0
  }

  /** Forgets what is due. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
