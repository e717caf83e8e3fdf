import type { HrTime, TimeInput } from '@opentelemetry/api'
import { monotonicMs } from '@taproom/time'

/**
 * What to add to `monotonicMs()` for milliseconds since 1970. Taken anew for each trace of a process, because the two clocks drift apart;
 * within a trace it is the same, so that a child never begins before its parent.
 */
export function clockOffset(): number {
  return Date.now() - monotonicMs()
}

/** Milliseconds since 1970 of what OpenTelemetry's API takes as a time; a number below `performance.now()` is one of that clock. */
export function millisecondsOf(time: TimeInput | undefined, offset: number): number {
  if (time === undefined) return offset + monotonicMs()
  if (time instanceof Date) return time.getTime()
  if (typeof time !== 'number') return time[0] * 1000 + time[1] / 1_000_000
  const now = performance.now()
  return time <= now ? offset + monotonicMs() - (now - time) : time
}

/** Seconds and nanoseconds, as exporters read them. */
export function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000)
  return [seconds, Math.floor((ms - seconds * 1000) * 1_000_000)]
}
