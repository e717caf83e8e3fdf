/** Something that is to happen at a time of the clock. */
export interface Alarm {
  /** Does nothing once it has rung. */
  clear(): void
}

interface SetAlarm extends Alarm {
  /** By the time that has passed, in milliseconds. */
  readonly dueAt: number
  wind(): void
  ring(): void
}

/** The broker's time: the machine's, and by how much it was moved ahead since. Never goes back. */
export class Clock {
  readonly #machine: () => number
  #aheadMs = 0
  readonly #alarms = new Set<SetAlarm>()

  /** `machine`: milliseconds since 1970. */
  constructor(machine: () => number = Date.now) {
    this.#machine = machine
  }

  /** Milliseconds since 1970. */
  readonly now = (): number => this.#machine() + this.#aheadMs

  get #passed(): number {
    return performance.now() + this.#aheadMs
  }

  /** Calls `onReached` when so much time of the clock has passed; `unref`: without keeping the process alive. */
  setAlarm(delayMs: number, onReached: () => void, options: { readonly unref?: boolean } = {}): Alarm {
    let timer: NodeJS.Timeout | undefined
    const clear = (): void => {
      clearTimeout(timer)
      this.#alarms.delete(alarm)
    }
    const alarm: SetAlarm = {
      dueAt: this.#passed + delayMs,
      clear,
      wind: () => {
        clearTimeout(timer)
        timer = setTimeout(alarm.ring, Math.max(0, alarm.dueAt - this.#passed))
        if (options.unref) timer.unref()
      },
      ring: () => {
        clear()
        onReached()
      },
    }
    this.#alarms.add(alarm)
    alarm.wind()
    return alarm
  }

  /** Moves it ahead. What becomes due by that happens before this returns, in the order in which it was due. */
  advance(ms: number): void {
    this.#aheadMs += ms
    const alarms = [...this.#alarms].sort((a, b) => a.dueAt - b.dueAt)
    for (const alarm of alarms) {
      if (!this.#alarms.has(alarm)) continue
      if (alarm.dueAt <= this.#passed) alarm.ring()
      else alarm.wind()
    }
  }
}
