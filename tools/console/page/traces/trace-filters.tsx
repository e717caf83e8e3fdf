import { href, setQuery } from '../address.ts'
import { Check, Choice, SearchField, TimeField } from '../pieces/field.tsx'
import { Filters } from '../pieces/filters.tsx'
import { ServiceChoice } from '../services/service-choice.tsx'

const FILTERS = ['service', 'name', 'attribute', 'status', 'minMs', 'maxMs', 'from', 'to', 'text'] as const

/** The filters of the address as the API takes them. An attribute that is still being typed is left out. */
export function filtersOf(query: URLSearchParams): URLSearchParams {
  const entries = FILTERS.map((name) => [name, query.get(name) ?? '']).filter(
    ([name, value = '']) => value !== '' && (name !== 'attribute' || value.indexOf('=') > 0),
  )
  return new URLSearchParams(entries)
}

export function TraceFilters({ query }: { query: URLSearchParams }) {
  const given = (name: (typeof FILTERS)[number]) => query.get(name) ?? ''
  return (
    <Filters clear={[...FILTERS, 'group'].some((name) => (query.get(name) ?? '') !== '') ? href('traces') : undefined}>
      <SearchField label="Text" value={given('text')} onValue={(text) => setQuery({ text })} />
      <ServiceChoice query={query} />
      <SearchField
        label="Attribute"
        placeholder="name=value"
        value={given('attribute')}
        onValue={(attribute) => setQuery({ attribute })}
      />
      <Duration name="minMs" label="Min ms" value={given('minMs')} />
      <Duration name="maxMs" label="Max ms" value={given('maxMs')} />
      <TimeField label="From" value={given('from')} onValue={(from) => setQuery({ from })} />
      <TimeField label="To" value={given('to')} onValue={(to) => setQuery({ to })} />
      <Choice
        label="Show"
        value={query.get('group') ?? ''}
        options={[
          ['', 'each trace'],
          ['name', 'groups by name'],
        ]}
        onValue={(group) => setQuery({ group })}
      />
      <Check
        label="Errors only"
        checked={given('status') === 'error'}
        onChecked={(isWanted) => setQuery({ status: isWanted ? 'error' : '' })}
      />
      {given('name') !== '' && <span class="chip">span {given('name')}</span>}
    </Filters>
  )
}

interface OneFilter {
  readonly name: string
  readonly label: string
  readonly value: string
}

function Duration({ name, label, value }: OneFilter) {
  return (
    <span class="short">
      <SearchField label={label} value={value} onValue={(text) => setQuery({ [name]: text.replaceAll(/\D/g, '') })} />
    </span>
  )
}
