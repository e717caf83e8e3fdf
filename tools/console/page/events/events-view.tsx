import type { Eventing, EventStory } from '../../src/api/eventing.ts'
import { address, href, pairsOf, setQuery } from '../address.ts'
import { useLatest } from '../live.ts'
import { useLiveList } from '../live-list.ts'
import { Choice, SearchField } from '../pieces/field.tsx'
import { Filters } from '../pieces/filters.tsx'
import { count } from '../pieces/format.ts'
import { Empty, Loading, Problem } from '../pieces/notice.tsx'
import { useRoving } from '../pieces/roving.ts'
import { Routing } from './routing.tsx'
import { SendForm } from './send-form.tsx'
import { Story } from './story.tsx'

const IDENTITY = {
  keyOf: ({ key }: EventStory) => key,
  timeOf: ({ acceptedAt }: EventStory) => acceptedAt,
}

/** The routes of events, the stories of the newest events, and a form that sends one. */
export function EventsView() {
  const { query } = address.value
  const trigger = query.get('trigger') ?? ''
  const type = query.get('type') ?? ''
  const eventing = useLatest<Eventing>('/api/eventing')
  const id = query.get('id') ?? ''
  const filters = new URLSearchParams(pairsOf({ limit: '200', id, type, trigger }))
  const { items, isKnown, problem } = useLiveList(`/api/events?${filters}`, IDENTITY)
  const objects = eventing.value.value
  const names = [...new Set([...(objects?.triggers ?? []).map(nameOf), trigger])].filter((name) => name !== '')
  const broker = query.get('broker')
  const shown = items.value.filter((story) => broker === null || story.broker === broker)
  const isFiltered = id !== '' || type !== '' || trigger !== '' || broker !== null
  const roving = useRoving<HTMLOListElement>()
  return (
    <>
      <div class="head">
        <h1>Events</h1>
        <p>{isKnown.value && count(shown.length, 'event')}</p>
      </div>
      <Problem problem={eventing.problem.value ?? problem.value} />
      {objects !== undefined && <Routing eventing={objects} />}
      <details class="card">
        <summary>Send an event</summary>
        <SendForm brokers={(objects?.brokers ?? []).map(nameOf)} />
      </details>
      <Filters clear={isFiltered ? href('events') : undefined}>
        <SearchField label="Type" value={type} onValue={(text) => setQuery({ type: text })} />
        <Choice
          label="Trigger"
          value={trigger}
          options={[['', 'all'], ...names]}
          onValue={(chosen) => setQuery({ trigger: chosen })}
        />
        {broker !== null && <span class="chip">broker {broker}</span>}
      </Filters>
      {!isKnown.value && problem.value === undefined && <Loading />}
      {isKnown.value && shown.length === 0 && (
        <Empty>{isFiltered ? 'No events match.' : 'No events yet. Send one to see its delivery here.'}</Empty>
      )}
      <ol {...roving} class="stack">
        {shown.map((story) => (
          <li key={story.key} class="card" data-row="" tabIndex={-1}>
            <Story story={story} known={objects?.triggers.map(nameOf)} />
          </li>
        ))}
      </ol>
    </>
  )
}

function nameOf({ namespace, name }: { namespace: string; name: string }): string {
  return `${namespace}/${name}`
}
