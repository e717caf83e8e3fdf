import { useSignal } from '@preact/signals'
import type { TargetedPointerEvent } from 'preact'
import type { LogCounts } from '../../src/api/services.ts'
import { setQuery } from '../address.ts'
import { usePolled } from '../live.ts'
import { clock, count } from '../pieces/format.ts'
import { LEVELS, logPath } from './log-query.ts'

const EVERY_MS = 3000
const INTERVALS = 80

interface HistogramProps {
  readonly query: URLSearchParams
  readonly isPaused: boolean
}

/** The number of matching lines by time and level. Dragging chooses a range; the fields From and To do so by keyboard. */
export function Histogram({ query, isPaused }: HistogramProps) {
  const path = logPath(query, { intervals: String(INTERVALS) }, '/api/logs/counts')
  const { value } = usePolled<LogCounts>(path, isPaused ? NEVER_MS : EVERY_MS, isPaused)
  const dragged = useSignal<{ readonly from: number; readonly to: number } | undefined>(undefined)
  const counts = value.value
  const [first] = counts?.items ?? []
  const last = counts?.items.at(-1)
  if (counts === undefined || first === undefined || last === undefined) return <div class="histogram" />
  const { stepMs, items } = counts
  const bars = Math.round((last.time - first.time) / stepMs) + 1
  const most = Math.max(...items.map(sumOf))
  /** The index of the bar under the pointer. */
  const barAt = ({ currentTarget, clientX }: TargetedPointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(bars - 1, Math.max(0, Math.floor(((clientX - left) / width) * bars)))
  }
  const timeOf = (bar: number) => first.time + bar * stepMs
  const chosen = dragged.value && [dragged.value.from, dragged.value.to].sort((a, b) => a - b)
  const choose = () => {
    dragged.value = undefined
    if (chosen === undefined) return
    const [from = 0, to = 0] = chosen
    setQuery({ from: String(timeOf(from)), to: String(timeOf(to + 1)) })
  }
  return (
    <figure class="histogram">
      <svg
        viewBox={`0 0 ${bars} ${most}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summaryOf(items)}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          dragged.value = { from: barAt(event), to: barAt(event) }
        }}
        onPointerMove={(event) => {
          if (dragged.value !== undefined) dragged.value = { ...dragged.value, to: barAt(event) }
        }}
        onPointerUp={choose}
      >
        {items.map((item) => (
          <Bar key={item.time} item={item} at={Math.round((item.time - first.time) / stepMs)} most={most} />
        ))}
        {chosen !== undefined && (
          <rect class="chosen" x={chosen[0]} width={(chosen[1] ?? 0) - (chosen[0] ?? 0) + 1} y={0} height={most} />
        )}
      </svg>
      <figcaption>
        <span>{clock(first.time).slice(0, 8)}</span>
        <span>{clock(last.time + stepMs).slice(0, 8)}</span>
      </figcaption>
    </figure>
  )
}

/** A day, in place of never: a paused histogram is not read again. */
const NEVER_MS = 86_400_000

type Interval = LogCounts['items'][number]

/** Lines by level, the most severe at the foot, where a few of them are seen beside many others. */
function Bar({ item, at, most }: { item: Interval; at: number; most: number }) {
  let foot = most
  return (
    <g>
      <title>{`${clock(item.time)}: ${tally(item)}`}</title>
      {LEVELS.toReversed().map((level) => {
        foot -= item[level]
        return item[level] === 0 ? null : (
          <rect key={level} class={level} x={at + 0.08} width={0.84} y={foot} height={item[level]} />
        )
      })}
    </g>
  )
}

function sumOf(item: Interval): number {
  return LEVELS.reduce((sum, level) => sum + item[level], 0)
}

function tally(item: Interval): string {
  return LEVELS.filter((level) => item[level] > 0)
    .map((level) => `${item[level].toLocaleString('en')} ${level}`)
    .join(', ')
}

function summaryOf(items: readonly Interval[]): string {
  const total = items.reduce((sum, item) => sum + sumOf(item), 0)
  const severe = items.reduce((sum, { error, fatal }) => sum + error + fatal, 0)
  return `${count(total, 'line')} by time, ${severe.toLocaleString('en')} of them errors`
}
