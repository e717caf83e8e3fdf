import { count, duration } from '../pieces/format.ts'
import { type Extent, endOf, type SpanRow } from './span-tree.ts'
import type { Wait } from './waits.ts'

interface SpanBarProps {
  readonly row: SpanRow
  readonly extent: Extent
  /** The stretches of the critical path that the span has. */
  readonly path: readonly Extent[] | undefined
  readonly waits: readonly Wait[] | undefined
  readonly isFolded: boolean
  readonly onFold: () => void
}

/** A row of the waterfall: the name of a span, and its bar over the time of the trace. */
export function SpanBar({ row, extent, path = [], waits = [], isFolded, onFold }: SpanBarProps) {
  const { span, depth, below } = row
  const fold = (event: Event) => {
    event.stopPropagation()
    onFold()
  }
  return (
    <>
      <span class="span-name" style={{ paddingLeft: `${Math.min(depth, 12) * 14}px` }}>
        <span class="twisty" onClick={below > 0 ? fold : undefined} aria-hidden="true">
          {below === 0 ? '' : isFolded ? '▸' : '▾'}
        </span>
        {span.kind !== 'internal' && <span class="kind">{span.kind}</span>}
        {span.status === 'error' && <span class="kind bad">error</span>}
        {span.name} <span class="muted">{span.service}</span>
        {isFolded && <span class="muted"> {count(below, 'span')} below</span>}
      </span>
      <span class="track">
        {waits.map((wait) => (
          <span key={wait.from} class="wait" style={placeOf(wait, extent)} />
        ))}
        <span class="bar" style={placeOf({ from: span.startedAt, ms: span.durationMs }, extent)} />
        {path.map((stretch) => (
          <span key={stretch.from} class="path" style={placeOf(stretch, extent)} />
        ))}
        <Took row={row} extent={extent} waits={waits} />
        {span.events.map((event) => (
          <span
            key={`${event.time} ${event.name}`}
            class="mark"
            title={event.name}
            style={{ left: `${partOf(event.time, extent)}%` }}
          />
        ))}
      </span>
    </>
  )
}

/** Part of the track that a text beside the bar needs, in percent. */
const ROOM = 30

/** How long the span took and waited. The text is behind the bar or, where there is more room, before it or on it. */
function Took({ row: { span }, extent, waits }: Pick<SpanBarProps, 'row' | 'extent'> & { waits: readonly Wait[] }) {
  const left = partOf(span.startedAt, extent)
  const right = partOf(endOf(span), extent)
  const before = Math.min(left, ...waits.map(({ from }) => partOf(from, extent)))
  const place =
    100 - right >= Math.min(ROOM, Math.max(right - left, before))
      ? { name: 'behind', style: { left: `${right}%`, right: '0' } }
      : right - left > before
        ? { name: 'inside', style: { left: `${left}%`, right: `${100 - right}%` } }
        : { name: 'before', style: { left: '0', right: `${100 - before}%` } }
  const took = waits.some(({ from }) => from === span.startedAt) ? [] : [duration(span.durationMs)]
  return (
    <span class={`span-took ${place.name}`} style={place.style}>
      {[...took, ...waits.map(({ text }) => text)].join(' · ')}
    </span>
  )
}

/** Where a time is, in percent of the trace. */
function partOf(time: number, { from, ms }: Extent): number {
  return ((time - from) / ms) * 100
}

function placeOf({ from, ms }: Extent, extent: Extent) {
  return { left: `${partOf(from, extent)}%`, width: `max(2px, ${(ms / extent.ms) * 100}%)` }
}
