import { useSignal } from '@preact/signals'
import type { LogLine } from '../../src/api/services.ts'
import { address, href, setQuery } from '../address.ts'
import { Check, Choice, SearchField } from '../pieces/field.tsx'
import { clock, count } from '../pieces/format.ts'
import { isNarrow } from '../pieces/media.ts'
import { Empty, Problem } from '../pieces/notice.tsx'
import { VirtualList } from '../pieces/virtual-list.tsx'
import { ServiceChoice } from '../services/service-choice.tsx'
import { setter } from '../setter.ts'
import { LogDetail } from './log-detail.tsx'
import { FILTERS, LEVELS } from './log-query.ts'
import { useLines } from './use-lines.ts'

export function LogsView() {
  const { query } = address.value
  const { lines, isKnown, problem, loadOlder } = useLines(query)
  const follow = useSignal(true)
  const selected = useSignal<LogLine | undefined>(undefined)
  const select = setter(selected)
  return (
    <div class="logs">
      <div class="head">
        <h1>Logs</h1>
        <p>
          {count(lines.value.length, 'line')}
          <Check label="Follow" class="follow" checked={follow.value} onChecked={setter(follow)} />
        </p>
      </div>
      <LogFilters query={query} />
      <Problem problem={problem.value} />
      {isKnown.value && lines.value.length === 0 ? (
        <Empty>
          No line passes. <a href={href('logs')}>Without filters</a>
        </Empty>
      ) : (
        <div class={selected.value === undefined ? 'lines' : 'lines split'}>
          <VirtualList
            label="Log lines"
            items={lines.value}
            rowHeight={isNarrow.value ? 42 : 24}
            idOf={({ id }) => String(id)}
            rowClass={({ level }) => `line ${level}`}
            row={(line) => <LineRow line={line} />}
            selected={selected.value === undefined ? undefined : String(selected.value.id)}
            onSelect={select}
            follow={follow}
            onTop={loadOlder}
          />
          {selected.value !== undefined && <LogDetail line={selected.value} onClose={() => select(undefined)} />}
        </div>
      )}
    </div>
  )
}

function LineRow({ line: { time, level, service, msg, traceId } }: { line: LogLine }) {
  return (
    <>
      <span class="time">{clock(time)}</span>
      <span class="level">{level}</span>
      <span class="service-name">{service}</span>
      <span class="msg">{msg}</span>
      {traceId !== undefined && <span class="traced" title={`trace ${traceId}`} />}
    </>
  )
}

function LogFilters({ query }: { query: URLSearchParams }) {
  const trace = query.get('trace')
  const isFiltered = FILTERS.some((name) => (query.get(name) ?? '') !== '')
  return (
    <div class="filters">
      <SearchField label="Text" value={query.get('text') ?? ''} onValue={(text) => setQuery({ text })} />
      <ServiceChoice query={query} />
      <Choice
        label="Level"
        value={query.get('level') ?? ''}
        options={[['', 'all'], ...LEVELS.slice(1).map((level) => [level, `${level} and worse`] as const)]}
        onValue={(level) => setQuery({ level })}
      />
      {trace !== null && (
        <span class="row">
          <span class="chip">trace {trace.slice(0, 8)}</span>
          <a href={href('traces', [trace])}>Its spans</a>
        </span>
      )}
      {isFiltered && (
        <a class="button" href={href('logs')}>
          Clear
        </a>
      )}
    </div>
  )
}
