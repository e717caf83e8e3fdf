import type { Alarm, Clock } from '../../clock.ts'

/** One alarm for each member; starting it again ends the one before. */
export class MemberTimers {
  readonly #clock: Clock
  readonly #alarms = new Map<string, Alarm>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  start(memberId: string, afterMs: number, action: () => void): void {
    this.end(memberId)
    const alarm = this.#clock.setAlarm(afterMs, () => {
      this.#alarms.delete(memberId)
      action()
    })
    this.#alarms.set(memberId, alarm)
  }

  end(memberId: string): void {
    this.#alarms.get(memberId)?.clear()
    this.#alarms.delete(memberId)
  }

  has(memberId: string): boolean {
    return this.#alarms.has(memberId)
  }

  endAll(): void {
    for (const alarm of this.#alarms.values()) alarm.clear()
    this.#alarms.clear()
  }
}
