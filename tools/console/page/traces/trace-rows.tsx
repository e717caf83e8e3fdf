import type { TargetedEvent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { TraceSummary } from '../../src/api/traces.ts'
import { href } from '../address.ts'
import { clock, count, duration } from '../pieces/format.ts'
import { isNarrow } from '../pieces/media.ts'
import { useRoving } from '../pieces/roving.ts'
import { SPARE_ROWS, showRow, useRowWindow } from '../pieces/row-window.ts'

const BORDERS = 2

interface TraceRowsProps {
  readonly traces: readonly TraceSummary[]
  readonly isPaused: boolean
  /** A person reads: rows must not move. */
  readonly onRead: () => void
  /** The last rows are nearly in sight. */
  readonly onEnd: () => void
}

/** Links to traces: only the rows in sight are there. */
export function TraceRows({ traces, isPaused, onRead, onEnd }: TraceRowsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const rowHeight = isNarrow.value ? 56 : 35
  const { first, last, top } = useRowWindow(scroller, { rows: traces.length, rowHeight })
  const roving = useRoving<HTMLOListElement>({
    count: traces.length,
    show: (index) => scroller.current !== null && showRow(scroller.current, index, rowHeight),
  })
  useEffect(() => {
    if (!isPaused && scroller.current !== null) scroller.current.scrollTop = 0
  }, [isPaused])
  const scrolled = ({ currentTarget }: TargetedEvent<HTMLDivElement>) => {
    const { scrollTop, clientHeight, scrollHeight } = currentTarget
    top.value = scrollTop
    if (scrollTop > 0) onRead()
    if (scrollTop > 0 && scrollTop + clientHeight > scrollHeight - SPARE_ROWS * rowHeight) onEnd()
  }
  return (
    <div
      class="scroll virtual traces"
      ref={scroller}
      onScroll={scrolled}
      style={{ height: `${traces.length * rowHeight + BORDERS}px` }}
    >
      <ol {...roving} class="virtual-all" aria-label="Traces" style={{ height: `${traces.length * rowHeight}px` }}>
        {traces.slice(first, last).map((trace, offset) => (
          <li
            key={trace.traceId}
            class="virtual-row"
            style={{ transform: `translateY(${(first + offset) * rowHeight}px)`, height: `${rowHeight}px` }}
            aria-posinset={first + offset + 1}
            aria-setsize={traces.length}
          >
            <TraceRow trace={trace} index={first + offset} onFocus={onRead} />
          </li>
        ))}
      </ol>
    </div>
  )
}

interface TraceRowProps {
  readonly trace: TraceSummary
  readonly index: number
  readonly onFocus: () => void
}

function TraceRow({ trace, index, onFocus }: TraceRowProps) {
  return (
    <a href={href('traces', [trace.traceId])} class="trace" data-row={index} tabIndex={-1} onFocus={onFocus}>
      <span class="muted mono">{clock(trace.startedAt)}</span>
      <span class="trace-name">
        <strong>{trace.name}</strong> <span class="muted">{trace.service}</span>
      </span>
      <span class="muted trace-services">{trace.services.filter((name) => name !== trace.service).join(', ')}</span>
      <span class="number">
        {trace.errors > 0 && <span class="chip bad">{count(trace.errors, 'error')}</span>}{' '}
        <span class="muted">{count(trace.spans, 'span')}</span>
      </span>
      <span class="took">
        <span class={trace.errors > 0 ? 'bar bad' : 'bar'} style={{ width: `${widthOf(trace.durationMs)}%` }} />
      </span>
      <span class="number">{duration(trace.durationMs)}</span>
    </a>
  )
}

/** From 100 µs to 10 s: each fifth is ten times as long. */
function widthOf(ms: number): number {
  return Math.max(1, Math.min(100, (Math.log10(Math.max(0.1, ms)) + 1) * 20))
}
