import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { SpanView } from '../../src/api/traces.ts'
import { address, href, setQuery } from '../address.ts'
import type { Items } from '../api.ts'
import { usePolled } from '../live.ts'
import { clock, count, duration } from '../pieces/format.ts'
import { isNarrow } from '../pieces/media.ts'
import { Empty, Problem } from '../pieces/notice.tsx'
import { VirtualList } from '../pieces/virtual-list.tsx'
import { SpanDetail } from './span-detail.tsx'
import { type Extent, extentOf, type SpanRow, waterfall } from './span-tree.ts'
import { TraceLogs } from './trace-logs.tsx'

const MOST_ROWS_SEEN = 22

/** One trace: its waterfall, the chosen span, and what was logged meanwhile. */
export function TraceView({ traceId }: { traceId: string }) {
  const { value, problem } = usePolled<Items<SpanView>>(`/api/traces/${encodeURIComponent(traceId)}`, 3000)
  const spans = value.value?.items
  return (
    <>
      <h1>
        <a class="crumb" href={href('traces')}>
          Traces
        </a>{' '}
        <span class="mono">{traceId.slice(0, 16)}</span>
      </h1>
      <Problem problem={problem.value} isLoading={spans === undefined} />
      {spans?.length === 0 && <Empty>None of its spans has come yet.</Empty>}
      {spans !== undefined && spans.length > 0 && <Waterfall spans={spans} />}
      <TraceLogs traceId={traceId} />
    </>
  )
}

function Waterfall({ spans }: { spans: readonly SpanView[] }) {
  const rows = useMemo(() => waterfall(spans), [spans])
  const extent = useMemo(() => extentOf(spans), [spans])
  const follow = useSignal(false)
  const rowHeight = isNarrow.value ? 44 : 28
  const chosen = address.value.query.get('span')
  const span = spans.find(({ spanId }) => spanId === chosen)
  const services = new Set(spans.map(({ service }) => service))
  const errors = spans.filter(({ status }) => status === 'error').length
  return (
    <>
      <p class="row">
        <span>
          {clock(extent.from)} · {duration(extent.ms)} · {count(spans.length, 'span')} · {[...services].join(', ')}
        </span>
        {errors > 0 && <span class="chip bad">{count(errors, 'error')}</span>}
      </p>
      <div class={span === undefined ? '' : 'split'}>
        <div class="card waterfall">
          <Scale extent={extent} />
          <div style={{ height: `${Math.min(rows.length, MOST_ROWS_SEEN) * rowHeight + 2}px` }}>
            <VirtualList
              label="Spans"
              items={rows}
              rowHeight={rowHeight}
              idOf={(row) => row.span.spanId}
              rowClass={(row) => `span ${row.span.status}`}
              row={(row) => <Bar row={row} extent={extent} />}
              selected={span?.spanId}
              onSelect={(row) => setQuery({ span: row?.span.spanId })}
              follow={follow}
            />
          </div>
        </div>
        {span !== undefined && <SpanDetail span={span} from={extent.from} onClose={() => setQuery({ span: '' })} />}
      </div>
    </>
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

function Bar({ row: { span, depth }, extent }: { row: SpanRow; extent: Extent }) {
  const left = ((span.startedAt - extent.from) / extent.ms) * 100
  const width = (span.durationMs / extent.ms) * 100
  const isLate = left + width > 70
  const isInside = isLate && left < 20
  return (
    <>
      <span class="span-name" style={{ paddingLeft: `${Math.min(depth, 12) * 14}px` }}>
        {span.kind !== 'internal' && <span class="kind">{span.kind}</span>}
        {span.name} <span class="muted">{span.service}</span>
      </span>
      <span class="track">
        <span class="bar" style={{ left: `${left}%`, width: `max(2px, ${width}%)` }} />
        <span
          class={isInside ? 'span-took inside' : 'span-took'}
          style={
            isInside
              ? { right: `${100 - left - width}%` }
              : isLate
                ? { right: `${100 - left}%` }
                : { left: `${left + width}%` }
          }
        >
          {duration(span.durationMs)}
        </span>
        {span.events.map((event) => (
          <span
            key={`${event.time} ${event.name}`}
            class="mark"
            title={event.name}
            style={{ left: `${((event.time - extent.from) / extent.ms) * 100}%` }}
          />
        ))}
      </span>
    </>
  )
}
