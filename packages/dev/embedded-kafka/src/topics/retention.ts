import { failureOf } from '../protocol/protocol-error.ts'

/** As Apache Kafka's log.retention.check.interval.ms. */
const CHECK_INTERVAL_MS = 300_000
/** Apache Kafka waits this long after a start, too. */
const FIRST_CHECK_MS = 30_000
const LONGEST_TIMER_MS = 2_147_483_647

/** Enforces retention when it is due. One timer for everything, none while nothing can expire. */
export class Retention {
  readonly #enforce: (now: number) => number | undefined
  readonly #now: () => number
  #dueAt = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #notBefore: number

  /** `enforce` drops old data, and returns the time when more will be too old. */
  constructor(options: { readonly enforce: (now: number) => number | undefined; readonly now: () => number }) {
    this.#enforce = options.enforce
    this.#now = options.now
    this.#notBefore = options.now() + FIRST_CHECK_MS
  }

  /** Retention will be due at this time: enforces then, or before. */
  expectAt(time: number): void {
    const due = Math.max(time, this.#notBefore)
    if (due >= this.#dueAt) return
    this.#dueAt = due
    clearTimeout(this.#timer)
    const delay = Math.min(Math.max(0, due - this.#now()), LONGEST_TIMER_MS)
    this.#timer = setTimeout(() => this.#run(), delay)
    this.#timer.unref()
  }

  #run(): void {
    const now = this.#now()
    this.#dueAt = Number.POSITIVE_INFINITY
    this.#notBefore = now + CHECK_INTERVAL_MS
    try {
      const next = this.#enforce(now)
      if (next !== undefined) this.expectAt(next)
    } catch (error) {
      failureOf(error)
      // A file that cannot be removed now is tried again later.
      this.expectAt(now)
    }
  }

  close(): void {
    clearTimeout(this.#timer)
  }
}
