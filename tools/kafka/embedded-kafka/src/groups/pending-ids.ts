import type { Alarm, Clock } from '../clock.ts'

/** Ids that were given to clients and with which they have not joined yet; each expires (KIP-394). */
export class PendingIds {
  readonly #clock: Clock
  readonly #alarms = new Map<string, Alarm>()
  readonly #onExpired: () => void

  constructor(clock: Clock, onExpired: () => void) {
    this.#clock = clock
    this.#onExpired = onExpired
  }

  get size(): number {
    return this.#alarms.size
  }

  has(memberId: string): boolean {
    return this.#alarms.has(memberId)
  }

  add(memberId: string, timeoutMs: number): void {
    const expire = (): void => {
      this.forget(memberId)
      this.#onExpired()
    }
    this.#alarms.set(memberId, this.#clock.setAlarm(timeoutMs, expire))
  }

  /** Returns whether it existed. */
  forget(memberId: string): boolean {
    this.#alarms.get(memberId)?.clear()
    return this.#alarms.delete(memberId)
  }

  clear(): void {
    for (const alarm of this.#alarms.values()) alarm.clear()
    this.#alarms.clear()
  }
}
