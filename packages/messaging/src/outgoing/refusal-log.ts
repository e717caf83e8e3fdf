import type { OutageLog } from '@taproom/core/time'

const MINUTE_MS = 60_000

/** Logs that Kafka refuses messages: a warning for each topic once a minute, the other refusals at debug level. */
export class RefusalLog {
  readonly #log: OutageLog
  readonly #now: () => number
  /** Topics of which a warning was logged in the current minute. */
  readonly #warned = new Set<string>()
  #sinceMs = Number.NEGATIVE_INFINITY

  constructor(log: OutageLog, now: () => number = () => performance.now()) {
    this.#log = log
    this.#now = now
  }

  refused(fields: { readonly channel: string; readonly topic: string; readonly reason: string }): void {
    const now = this.#now()
    if (now - this.#sinceMs >= MINUTE_MS) {
      this.#sinceMs = now
      this.#warned.clear()
    }
    const message = 'kafka refuses messages'
    if (this.#warned.has(fields.topic)) this.#log.debug?.(fields, message)
    else this.#log.warn(fields, message)
    this.#warned.add(fields.topic)
  }
}
