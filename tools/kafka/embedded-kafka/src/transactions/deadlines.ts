import type { Alarm, Clock } from '../clock.ts'

/** One alarm for each id. */
export class Deadlines {
  readonly #clock: Clock
  readonly #alarms = new Map<string, Alarm>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  set(id: string, delayMs: number, onReached: () => void): void {
    this.#alarms.set(id, this.#clock.setAlarm(delayMs, onReached))
  }

  clear(id: string): void {
    this.#alarms.get(id)?.clear()
    this.#alarms.delete(id)
  }

  clearAll(): void {
    for (const alarm of this.#alarms.values()) alarm.clear()
    this.#alarms.clear()
  }
}
