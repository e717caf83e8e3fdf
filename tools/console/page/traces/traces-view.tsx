import { address, href, setQuery } from '../address.ts'
import { count } from '../pieces/format.ts'
import { Empty, Problem } from '../pieces/notice.tsx'
import { Scatter } from './scatter.tsx'
import { filtersOf, TraceFilters } from './trace-filters.tsx'
import { TraceGroups } from './trace-groups.tsx'
import { TraceRows } from './trace-rows.tsx'
import { TraceView } from './trace-view.tsx'
import { useTraces } from './use-traces.ts'

export function TracesView() {
  const { parts, query } = address.value
  const [traceId] = parts
  if (traceId !== undefined) return <TraceView traceId={traceId} />
  if (query.get('group') !== 'name') return <TraceList query={query} />
  return (
    <>
      <h1>Traces</h1>
      <TraceFilters query={query} />
      <TraceGroups filters={filtersOf(query)} />
    </>
  )
}

function TraceList({ query }: { query: URLSearchParams }) {
  const filters = filtersOf(query)
  const { items, isKnown, problem, isPaused, older, loadOlder } = useTraces(filters)
  const shown = items.value
  const pause = () => {
    isPaused.value = true
  }
  return (
    <>
      <div class="head">
        <h1>Traces</h1>
        <p class="row">
          {count(shown.length, 'trace')}, the newest first
          <button
            type="button"
            onClick={() => {
              isPaused.value = !isPaused.value
            }}
          >
            {isPaused.value ? 'Continue' : 'Pause'}
          </button>
        </p>
      </div>
      <TraceFilters query={query} />
      <Problem problem={problem.value} isLoading={!isKnown.value} />
      {isKnown.value && shown.length === 0 && <NoTrace isFiltered={filters.size > 0} />}
      {shown.length > 0 && (
        <>
          <Scatter traces={shown} onTouch={pause} onRange={setQuery} />
          <TraceRows traces={shown} isPaused={isPaused.value} onRead={pause} onEnd={loadOlder} />
          <p class="row muted">
            <button type="button" disabled={older.value !== 'more'} onClick={loadOlder}>
              Older traces
            </button>
            {older.value === 'none' && 'No older traces.'}
          </p>
        </>
      )}
    </>
  )
}

function NoTrace({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty>
        No traces match. <a href={href('traces')}>Clear filters</a>
      </Empty>
    )
  return (
    <Empty>
      No traces yet. <a href={href('try')}>Send a request</a>, or export spans to this address by OTLP.
    </Empty>
  )
}
