import type { Alarm, Clock } from './clock.ts'

/** One alarm for each id; setting it again ends the one before. */
export class Alarms {
  readonly #clock: Clock
  readonly #alarms = new Map<string, Alarm>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#alarms.size
  }

  has(id: string): boolean {
    return this.#alarms.has(id)
  }

  set(id: string, afterMs: number, onReached: () => void): void {
    this.clear(id)
    const alarm = this.#clock.setAlarm(afterMs, () => {
      this.#alarms.delete(id)
      onReached()
    })
    this.#alarms.set(id, alarm)
  }

  /** Returns whether there was one. */
  clear(id: string): boolean {
    this.#alarms.get(id)?.clear()
    return this.#alarms.delete(id)
  }

  clearAll(): void {
    for (const alarm of this.#alarms.values()) alarm.clear()
    this.#alarms.clear()
  }
}
