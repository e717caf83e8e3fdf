import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { SpanView } from '../../src/api/traces.ts'
import { address, setQuery } from '../address.ts'
import { clock, count, duration } from '../pieces/format.ts'
import { isNarrow } from '../pieces/media.ts'
import { VirtualList } from '../pieces/virtual-list.tsx'
import { criticalPath } from './critical-path.ts'
import { SpanBar } from './span-bar.tsx'
import { SpanDetail } from './span-detail.tsx'
import { type Extent, extentOf, type SpanRow, unfolded } from './span-tree.ts'
import { waitsOf } from './waits.ts'

const MOST_ROWS_SEEN = 22
/** Colours of services; further services have the first ones again. */
const COLOURS = 8

/** The spans of a trace over its time, and the chosen one beside them. */
export function Waterfall({ rows }: { rows: readonly SpanRow[] }) {
  const extent = useMemo(() => extentOf(rows.map(({ span }) => span)), [rows])
  const path = useMemo(() => criticalPath(rows), [rows])
  const waits = useMemo(() => waitsOf(rows), [rows])
  const folded = useSignal<ReadonlySet<string>>(new Set())
  const shown = useMemo(() => unfolded(rows, folded.value), [rows, folded.value])
  const follow = useSignal(false)
  const services = [...new Set(rows.map(({ span }) => span.service))]
  const colourOf = ({ service }: SpanView) => `service-${services.indexOf(service) % COLOURS}`
  const rowHeight = isNarrow.value ? 44 : 28
  const chosen = address.value.query.get('span')
  const row = rows.find(({ span }) => span.spanId === chosen)
  const fold = ({ span, below }: SpanRow, isFolded: boolean) => {
    const next = new Set(folded.value)
    if (isFolded && below > 0) next.add(span.spanId)
    else next.delete(span.spanId)
    folded.value = next
  }
  const isFolded = ({ span }: SpanRow) => folded.value.has(span.spanId)
  return (
    <>
      <Summary rows={rows} extent={extent} services={services} />
      <p class="row">
        <button
          type="button"
          onClick={() => {
            folded.value = new Set(rows.filter(({ below }) => below > 0).map(({ span }) => span.spanId))
          }}
        >
          Collapse all
        </button>
        <button
          type="button"
          disabled={folded.value.size === 0}
          onClick={() => {
            folded.value = new Set()
          }}
        >
          Expand all
        </button>
        <span class="muted path-key">critical path: what the end of the trace waited for</span>
        {waits.size > 0 && <span class="muted wait-key">waiting</span>}
      </p>
      <div class={row === undefined ? '' : 'split'}>
        <div class="card waterfall">
          <Scale extent={extent} />
          <div style={{ height: `${Math.min(shown.length, MOST_ROWS_SEEN) * rowHeight + 2}px` }}>
            <VirtualList
              label="Spans"
              items={shown}
              rowHeight={rowHeight}
              idOf={({ span }) => span.spanId}
              rowClass={({ span }) => `span ${span.status} ${colourOf(span)}`}
              row={(one) => (
                <SpanBar
                  row={one}
                  extent={extent}
                  path={path.get(one.span.spanId)}
                  waits={waits.get(one.span.spanId)}
                  isFolded={isFolded(one)}
                  onFold={() => fold(one, !isFolded(one))}
                />
              )}
              selected={row?.span.spanId}
              onSelect={(one) => setQuery({ span: one?.span.spanId })}
              onFold={fold}
              follow={follow}
            />
          </div>
        </div>
        {row !== undefined && (
          <SpanDetail
            span={row.span}
            from={extent.from}
            path={path.get(row.span.spanId)}
            waits={waits.get(row.span.spanId)}
            onClose={() => setQuery({ span: '' })}
          />
        )}
      </div>
    </>
  )
}

interface SummaryProps {
  readonly rows: readonly SpanRow[]
  readonly extent: Extent
  readonly services: readonly string[]
}

function Summary({ rows, extent, services }: SummaryProps) {
  const errors = rows.filter(({ span }) => span.status === 'error').length
  return (
    <p class="row">
      <span>
        {clock(extent.from)} · {duration(extent.ms)} · {count(rows.length, 'span')}
      </span>
      {services.map((service, index) => (
        <span key={service} class={`service-key service-${index % COLOURS}`}>
          {service}
        </span>
      ))}
      {errors > 0 && <span class="chip bad">{count(errors, 'error')}</span>}
    </p>
  )
}

function Scale({ extent }: { extent: Extent }) {
  return (
    <div class="scale" aria-hidden="true">
      <span />
      <div>
        {[0, 0.25, 0.5, 0.75].map((part) => (
          <span key={part} style={{ left: `${part * 100}%` }}>
            {part === 0 ? '0' : duration(extent.ms * part)}
          </span>
        ))}
      </div>
    </div>
  )
}
