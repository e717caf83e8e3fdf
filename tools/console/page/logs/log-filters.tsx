import { href, setQuery } from '../address.ts'
import { Choice, SearchField, TimeField } from '../pieces/field.tsx'
import { Filters } from '../pieces/filters.tsx'
import { ServiceChoice } from '../services/service-choice.tsx'
import { filterOf, LEVELS } from './log-query.ts'

export function LogFilters({ query }: { query: URLSearchParams }) {
  const trace = query.get('trace')
  const isFiltered = Object.values(filterOf(query)).flat().length > 0
  return (
    <Filters clear={isFiltered ? href('logs') : undefined}>
      <SearchField label="Text" value={query.get('text') ?? ''} onValue={(text) => setQuery({ text })} />
      <ServiceChoice query={query} />
      <Choice
        label="Level"
        value={query.get('level') ?? ''}
        options={[['', 'all'], ...LEVELS.slice(1).map((level) => [level, `${level} or higher`] as const)]}
        onValue={(level) => setQuery({ level })}
      />
      <TimeField label="From" value={query.get('from') ?? ''} onValue={(from) => setQuery({ from })} />
      <TimeField label="To" value={query.get('to') ?? ''} onValue={(to) => setQuery({ to })} />
      {trace !== null && (
        <span class="row">
          <span class="chip">trace {trace.slice(0, 8)}</span>
          <a href={href('traces', [trace])}>Spans of the trace</a>
        </span>
      )}
      {(['field', 'exclude'] as const).map((parameter) => (
        <FieldFilters key={parameter} parameter={parameter} query={query} />
      ))}
    </Filters>
  )
}

/** The fields by which lines are kept or excluded; a click removes one. */
function FieldFilters({ parameter, query }: { parameter: 'field' | 'exclude'; query: URLSearchParams }) {
  const all = query.getAll(parameter)
  return all.map((text) => {
    const shown = parameter === 'field' ? text : text.replace('=', '≠')
    return (
      <button
        key={text}
        type="button"
        class="by-field"
        title={shown}
        aria-label={`Remove the filter ${shown}`}
        onClick={() => setQuery({ [parameter]: all.filter((other) => other !== text) })}
      >
        {shown}
      </button>
    )
  })
}
