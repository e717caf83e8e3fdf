import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Overview } from '../../src/api/system.ts'
import { Scroll } from '../pieces/scroll.tsx'
import { layout } from './layout.ts'
import { edgeKey, Picture } from './picture.tsx'

/** Padding and border of the frame. */
const FRAME = 22
/** A picture that fits only when it is smaller is scrolled instead, until a person asks to fit it. */
const LEAST_FIT = 0.6
const STEP = 1.25
const SCALES = { least: 0.25, most: 4 }

/** The picture as large as there is room, or as a person wants it. */
export function ZoomedPicture({ overview }: { overview: Overview }) {
  const frame = useRef<HTMLDivElement>(null)
  const room = useSignal(1000)
  /** Undefined: as it fits. */
  const zoom = useSignal<number | undefined>(undefined)
  const isFitted = useSignal(false)
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const observer = new ResizeObserver(() => {
      room.value = element.clientWidth - FRAME
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const { nodes, edges } = overview
  const shape = [...nodes.map(({ id }) => id), ...edges.map(edgeKey)].sort().join('\n')
  // Things move only when one comes or goes, or the room changes.
  const drawn = useMemo(() => layout(nodes, edges, room.value), [shape, room.value])
  const fit = Math.min(1, room.value / drawn.width)
  const scale = zoom.value ?? (fit >= LEAST_FIT || isFitted.value ? fit : 1)
  const zoomTo = (wanted: number) => {
    zoom.value = Math.min(SCALES.most, Math.max(SCALES.least, wanted))
  }
  return (
    <div ref={frame} class="stack">
      <Scroll label="Picture of the system" class="card canvas">
        <Picture overview={overview} drawn={drawn} scale={scale} />
      </Scroll>
      <div class="row">
        <Legend />
        <span class="row zoom">
          <button type="button" aria-label="Smaller" onClick={() => zoomTo(scale / STEP)}>
            −
          </button>
          <button type="button" aria-label="Larger" onClick={() => zoomTo(scale * STEP)}>
            +
          </button>
          <button
            type="button"
            onClick={() => {
              zoom.value = undefined
              isFitted.value = true
            }}
          >
            Fit
          </button>
        </span>
      </div>
    </div>
  )
}

function Legend() {
  return (
    <ul class="legend" aria-label="Legend">
      <li class="up">up</li>
      <li class="down">down, failing, or just crashed</li>
      <li class="starting">starting</li>
      <li class="fallback">breaker not closed, or fallback answers</li>
      <li class="asleep">asleep: the next event starts an instance</li>
      <li class="moving">calls in the last 10 s</li>
    </ul>
  )
}
