import type { TraceSummary } from '../../src/api/traces.ts'
import { clock, duration } from '../pieces/format.ts'

export const PLOT_HEIGHT = 150
const LEFT = 64
const RIGHT = 12
const TOP = 10
const BOTTOM = 24
/** How far from a dot the pointer still means it. */
const REACH = 9

interface Dot {
  readonly trace: TraceSummary
  readonly x: number
  readonly y: number
}

interface Tick {
  readonly at: number
  readonly text: string
}

/** Traces by their starts and durations, in pixels; the durations are logarithmic. */
export interface Plot {
  readonly width: number
  readonly left: number
  readonly dots: readonly Dot[]
  /** Lines with one duration. */
  readonly durations: readonly Tick[]
  /** The first and the last time. */
  readonly times: readonly [Tick, Tick]
  nearest(x: number, y: number): Dot | undefined
  timeAt(x: number): number
}

export function plotOf(traces: readonly TraceSummary[], width: number): Plot {
  let from = Number.POSITIVE_INFINITY
  let to = 0
  let shortest = Number.POSITIVE_INFINITY
  let longest = 0
  for (const { startedAt, durationMs } of traces) {
    from = Math.min(from, startedAt)
    to = Math.max(to, startedAt)
    shortest = Math.min(shortest, durationMs)
    longest = Math.max(longest, durationMs)
  }
  const span = Math.max(1000, to - from)
  const low = Math.floor(logOf(shortest))
  const high = Math.max(low + 1, Math.ceil(logOf(longest)))
  const right = width - RIGHT
  const y = (log: number) => PLOT_HEIGHT - BOTTOM - ((log - low) / (high - low)) * (PLOT_HEIGHT - BOTTOM - TOP)
  const dots = traces.map((trace) => ({
    trace,
    x: LEFT + ((trace.startedAt - from) / span) * (right - LEFT),
    y: y(logOf(trace.durationMs)),
  }))
  return {
    ...{ width, left: LEFT, dots },
    durations: Array.from({ length: high - low + 1 }, (_, index) => ({
      at: y(low + index),
      text: duration(10 ** (low + index)),
    })),
    times: [
      { at: LEFT, text: clock(from).slice(0, 8) },
      { at: right, text: clock(from + span).slice(0, 8) },
    ],
    nearest: (atX, atY) => nearest(dots, atX, atY),
    timeAt: (at) => from + ((Math.min(right, Math.max(LEFT, at)) - LEFT) / (right - LEFT)) * span,
  }
}

function logOf(ms: number): number {
  return Math.log10(Math.max(0.1, ms))
}

function nearest(dots: readonly Dot[], x: number, y: number): Dot | undefined {
  let found: Dot | undefined
  let least = REACH
  for (const dot of dots) {
    const distance = Math.hypot(dot.x - x, dot.y - y)
    if (distance > least) continue
    found = dot
    least = distance
  }
  return found
}
