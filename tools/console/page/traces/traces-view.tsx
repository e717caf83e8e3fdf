import type { VNode } from 'preact'
import type { TraceSummary } from '../../src/api/traces.ts'
import { address, href, setQuery } from '../address.ts'
import { useLiveList } from '../live-list.ts'
import { Check, Choice, SearchField } from '../pieces/field.tsx'
import { clock, count, duration } from '../pieces/format.ts'
import { Empty, Problem } from '../pieces/notice.tsx'
import { ServiceChoice } from '../services/service-choice.tsx'
import { Scatter } from './scatter.tsx'
import { TraceView } from './trace-view.tsx'

const FILTERS = ['service', 'name', 'status', 'minMs', 'text'] as const

const IDENTITY = {
  keyOf: ({ traceId }: TraceSummary) => traceId,
  timeOf: ({ startedAt }: TraceSummary) => startedAt,
}

export function TracesView() {
  const [traceId] = address.value.parts
  return traceId === undefined ? <TraceList /> : <TraceView traceId={traceId} />
}

function TraceList() {
  const { query } = address.value
  const given = FILTERS.map((name) => [name, query.get(name) ?? '']).filter(([, value]) => value !== '')
  const path = `/api/traces?${new URLSearchParams([...given, ['limit', '200']])}`
  const { items, isKnown, problem } = useLiveList(path, IDENTITY)
  const shown = items.value
  return (
    <>
      <div class="head">
        <h1>Traces</h1>
        <p>{count(shown.length, 'trace')}, the newest first</p>
      </div>
      <TraceFilters query={query} isFiltered={given.length > 0} />
      <Problem problem={problem.value} isLoading={!isKnown.value} />
      {isKnown.value && shown.length === 0 && (
        <Empty>
          No trace yet. <a href={href('try')}>Try a request</a>, or let a program send its spans to this address by
          OTLP.
        </Empty>
      )}
      {shown.length > 0 && (
        <>
          <Scatter traces={shown} />
          <TraceRows traces={shown} />
        </>
      )}
    </>
  )
}

function TraceFilters({ query, isFiltered }: { query: URLSearchParams; isFiltered: boolean }) {
  return (
    <div class="filters">
      <SearchField label="Text" value={query.get('text') ?? ''} onValue={(text) => setQuery({ text })} />
      <ServiceChoice query={query} />
      <Choice
        label="Took at least"
        value={query.get('minMs') ?? ''}
        options={[
          ['', 'any time'],
          ['10', '10 ms'],
          ['100', '100 ms'],
          ['1000', '1 s'],
          ['3000', '3 s'],
        ]}
        onValue={(minMs) => setQuery({ minMs })}
      />
      <Check
        label="Errors only"
        checked={query.get('status') === 'error'}
        onChecked={(isWanted) => setQuery({ status: isWanted ? 'error' : '' })}
      />
      {isFiltered && (
        <a class="button" href={href('traces')}>
          Clear
        </a>
      )}
    </div>
  )
}

function TraceRows({ traces }: { traces: readonly TraceSummary[] }) {
  return <ol class="traces card">{traces.map(rowOf)}</ol>
}

/** What was drawn of a trace is drawn again only when it has grown. */
const rows = new WeakMap<TraceSummary, VNode>()

function rowOf(trace: TraceSummary): VNode {
  const known = rows.get(trace) ?? <TraceRow key={trace.traceId} trace={trace} />
  rows.set(trace, known)
  return known
}

function TraceRow({ trace }: { trace: TraceSummary }) {
  return (
    <li>
      <a href={href('traces', [trace.traceId])} class="trace">
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
    </li>
  )
}

/** From 100 µs to 10 s: each fifth is ten times as long. */
function widthOf(ms: number): number {
  return Math.max(1, Math.min(100, (Math.log10(Math.max(0.1, ms)) + 1) * 20))
}
