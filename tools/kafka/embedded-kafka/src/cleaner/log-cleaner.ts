import type { Clock } from '../clock.ts'
import { DueWork } from '../due-work.ts'
import { failureOf } from '../protocol/protocol-error.ts'
import { Turn } from '../turn.ts'
import { cleanLog } from './clean-log.ts'
import { type CleanableLog, type CleaningNeed, cleaningNeed } from './cleanable.ts'

/** Cleans logs, one at a time and the dirtiest first. One timer for all of them, none while there is nothing to clean. */
export class LogCleaner {
  readonly #logs: () => readonly CleanableLog[]
  readonly #now: () => number
  readonly #work: DueWork
  #isClosed = false

  constructor(options: {
    readonly logs: () => readonly CleanableLog[]
    readonly clock: Clock
    /** How long it rests between two rounds, in milliseconds. */
    readonly backoffMs: number
  }) {
    const { logs, clock, backoffMs } = options
    this.#logs = logs
    this.#now = clock.now
    this.#work = new DueWork({ work: () => this.#clean(), clock, firstMs: backoffMs, intervalMs: backoffMs })
  }

  /** As {@link DueWork.intervalMs}. */
  set backoffMs(ms: number) {
    this.#work.intervalMs = ms
  }

  /** Call when a log has more to clean. */
  expect(): void {
    this.#work.expectAt(this.#now())
  }

  /** Cleans what is due, and returns when to look again. A log with more keys than fit is due again after a rest. */
  async #clean(): Promise<number | undefined> {
    const turn = new Turn()
    const due = this.#look().filter(({ need }) => need.isDue)
    for (const { target } of due.sort((a, b) => b.need.ratio - a.need.ratio)) {
      await turn.giveWay()
      if (this.#isClosed) return undefined
      const { dirty, isDue } = cleaningNeed(target, this.#now())
      if (!isDue || target.isClosed()) continue
      try {
        await cleanLog(target, { dirty, now: this.#now() })
      } catch (error) {
        // A full disk, say: the other logs are cleaned nevertheless, this one is tried again after a rest.
        failureOf(error)
      }
    }
    const times = this.#look().flatMap(({ need }) => (need.isDue ? this.#now() : (need.nextLook ?? [])))
    return times.length === 0 ? undefined : Math.min(...times)
  }

  #look(): readonly { readonly target: CleanableLog; readonly need: CleaningNeed }[] {
    const now = this.#now()
    return this.#logs().map((target) => ({ target, need: cleaningNeed(target, now) }))
  }

  close(): void {
    this.#isClosed = true
    this.#work.close()
  }
}
