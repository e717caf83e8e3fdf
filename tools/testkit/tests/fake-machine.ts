import type { Machine } from '../src/with-progress.ts'

export interface FakeUse {
  /** Processor time of the processes; undefined when the system does not tell. */
  readonly secondsPerMinute: number | undefined
  /** When they stop using it. Default: never. */
  readonly untilMs?: number
}

/** A machine whose clock jumps to the end of the next sleep whenever all wait. */
export function fakeMachine({ secondsPerMinute, untilMs = Number.POSITIVE_INFINITY }: FakeUse) {
  const sleepers = new Set<{ readonly endMs: number; wake(): void }>()
  let nowMs = 0
  let readings = 0
  const wakeNext = () => {
    const [next] = [...sleepers].sort((one, other) => one.endMs - other.endMs)
    if (next === undefined) return
    sleepers.delete(next)
    nowMs = next.endMs
    next.wake()
  }
  const machine: Machine = {
    now: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { endMs: nowMs + ms, wake: resolve }
        sleepers.add(sleeper)
        signal.addEventListener('abort', () => {
          sleepers.delete(sleeper)
          reject(signal.reason)
        })
        setImmediate(wakeNext)
      }),
    cpuTimes() {
      readings += 1
      if (secondsPerMinute === undefined) return undefined
      return new Map([[1, (Math.min(nowMs, untilMs) / 60_000) * secondsPerMinute]])
    },
  }
  return { ...machine, readings: () => readings, sleeping: () => sleepers.size }
}
