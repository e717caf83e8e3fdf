import { monotonicMs } from '@taproom/time'

/** How much the last answer counts in how long one takes. */
const NEWEST_PART = 1 / 4

/** How long the answers of a connection take, each from the end of the one before it, or from its request. */
export class AnswerTimes {
  #sinceMs = 0
  /** A moving average. */
  #answerMs: number | undefined

  /** An answer is the next one. */
  begin(): void {
    this.#sinceMs = monotonicMs()
  }

  /** It is over. */
  end(): void {
    const tookMs = monotonicMs() - this.#sinceMs
    this.#answerMs = this.#answerMs === undefined ? tookMs : this.#answerMs + (tookMs - this.#answerMs) * NEWEST_PART
  }

  /** Milliseconds that so many answers should take; infinite before the first one. */
  expectedMs(count: number, nowMs: number): number {
    if (this.#answerMs === undefined) return Number.POSITIVE_INFINITY
    return count * Math.max(this.#answerMs, nowMs - this.#sinceMs)
  }
}
