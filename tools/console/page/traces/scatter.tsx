import { useSignal } from '@preact/signals'
import type { TargetedPointerEvent } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { TraceSummary } from '../../src/api/traces.ts'
import { href } from '../address.ts'
import { duration } from '../pieces/format.ts'
import { isDark } from '../pieces/media.ts'
import { theme } from '../pieces/theme.ts'
import { drawScatter } from './draw-scatter.ts'
import { PLOT_HEIGHT, plotOf } from './scatter-plot.ts'

/** A shorter way of the pointer is a click. */
const DRAG = 6

interface ScatterProps {
  readonly traces: readonly TraceSummary[]
  /** The pointer went down: dots must not move. */
  readonly onTouch: () => void
  /** A range of time was chosen, in milliseconds since 1970. */
  readonly onRange: (range: { readonly from: string; readonly to: string }) => void
}

/** When each trace began and how long it took: what is slow or failing stands out. The list below has the same in words. */
export function Scatter({ traces, onTouch, onRange }: ScatterProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const width = useSignal(0)
  const pointer = useSignal<{ readonly x: number; readonly y: number } | undefined>(undefined)
  const dragFrom = useSignal<number | undefined>(undefined)
  useEffect(() => {
    const element = canvas.current?.parentElement
    if (element === null || element === undefined) return
    const observer = new ResizeObserver(() => {
      width.value = element.clientWidth
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const plot = useMemo(() => plotOf(traces, width.value), [traces, width.value])
  useEffect(() => {
    if (canvas.current !== null && plot.width > 0) drawScatter(canvas.current, plot)
  }, [plot, theme.value, isDark.value])

  const at = pointer.value
  const from = dragFrom.value
  const dot = at === undefined ? undefined : plot.nearest(at.x, at.y)
  const isDrag = at !== undefined && from !== undefined && Math.abs(at.x - from) >= DRAG
  const move = ({ offsetX, offsetY }: TargetedPointerEvent<HTMLCanvasElement>) => {
    pointer.value = { x: offsetX, y: offsetY }
  }
  const press = (event: TargetedPointerEvent<HTMLCanvasElement>) => {
    move(event)
    dragFrom.value = event.offsetX
    event.currentTarget.setPointerCapture(event.pointerId)
    onTouch()
  }
  const release = () => {
    dragFrom.value = undefined
    if (isDrag) {
      const [first, last] = [at.x, from].map((x) => plot.timeAt(x)).sort((a, b) => a - b) as [number, number]
      onRange({ from: String(Math.floor(first)), to: String(Math.ceil(last)) })
    } else if (dot !== undefined) location.hash = href('traces', [dot.trace.traceId])
  }
  const leave = () => {
    pointer.value = undefined
    dragFrom.value = undefined
  }
  return (
    <section class="card scatter" aria-label="Traces by time and duration">
      <div class="scatter-plot">
        <canvas
          ref={canvas}
          class={dot === undefined ? '' : 'on-dot'}
          style={{ height: `${PLOT_HEIGHT}px` }}
          onPointerMove={move}
          onPointerDown={press}
          onPointerUp={release}
          onPointerLeave={leave}
          onPointerCancel={leave}
        >
          The list below has the same.
        </canvas>
        {isDrag && (
          <span class="brush" style={{ left: `${Math.min(from, at.x)}px`, width: `${Math.abs(at.x - from)}px` }} />
        )}
        {dot !== undefined && !isDrag && (
          <span
            class="dot-name"
            style={dot.x > plot.width / 2 ? { right: `${plot.width - dot.x}px` } : { left: `${dot.x}px` }}
          >
            {dot.trace.name} {duration(dot.trace.durationMs)}
          </span>
        )}
      </div>
    </section>
  )
}
