import type { Alarm, Clock } from './clock.ts'
import { failureOf } from './protocol/protocol-error.ts'

const LONGEST_TIMER_MS = 2_147_483_647

/** Work that is done when it is due, never twice at the same time. One alarm, none while nothing is due. */
export class DueWork {
  readonly #work: (now: number) => number | undefined | Promise<number | undefined>
  readonly #clock: Clock
  #intervalMs: number
  #dueAt = Number.POSITIVE_INFINITY
  #alarm: Alarm | undefined
  #notBefore: number
  /** Expected while the work is being done. */
  #expectedNext = Number.POSITIVE_INFINITY
  #isRunning = false
  #isClosed = false

  /** `work` returns the time when there will be more of it. It is done after `firstMs` at the earliest, then once in `intervalMs`. */
  constructor(options: {
    readonly work: (now: number) => number | undefined | Promise<number | undefined>
    readonly clock: Clock
    readonly firstMs: number
    readonly intervalMs: number
  }) {
    this.#work = options.work
    this.#clock = options.clock
    this.#intervalMs = options.intervalMs
    this.#notBefore = options.clock.now() + options.firstMs
  }

  /** How far it is apart from its next end on, in milliseconds. */
  set intervalMs(ms: number) {
    this.#intervalMs = ms
  }

  /** There will be work at this time: does it then, or before. */
  expectAt(time: number): void {
    if (this.#isRunning) this.#expectedNext = Math.min(this.#expectedNext, time)
    else this.#schedule(time)
  }

  #schedule(time: number): void {
    const due = Math.max(time, this.#notBefore)
    if (due >= this.#dueAt || this.#isClosed) return
    this.#dueAt = due
    this.#alarm?.clear()
    const delay = Math.min(Math.max(0, due - this.#clock.now()), LONGEST_TIMER_MS)
    this.#alarm = this.#clock.setAlarm(delay, () => void this.#run(), { unref: true })
  }

  async #run(): Promise<void> {
    const now = this.#clock.now()
    this.#isRunning = true
    this.#expectedNext = Number.POSITIVE_INFINITY
    let next = Number.POSITIVE_INFINITY
    try {
      next = (await this.#work(now)) ?? next
    } catch (error) {
      failureOf(error)
      // What could not be done is tried again later.
      next = now
    }
    this.#isRunning = false
    this.#dueAt = Number.POSITIVE_INFINITY
    this.#notBefore = this.#clock.now() + this.#intervalMs
    this.#schedule(Math.min(next, this.#expectedNext))
  }

  close(): void {
    this.#isClosed = true
    this.#alarm?.clear()
  }
}
