import { Chart } from '../pieces/chart.tsx'
import { clock, count, short } from '../pieces/format.ts'
import type { StreamedEvent } from './streamed-events.ts'

const LISTED = 40
const SEEN_MS = 60_000

/** Events as they arrive: the first field with a number as a curve, all fields as a list, the newest first. */
export function EventStream({ events, isRunning }: { events: readonly StreamedEvent[]; isRunning: boolean }) {
  const last = events.at(-1)
  if (last === undefined) return <p class="muted">{isRunning ? 'Waiting for the first event …' : 'No events.'}</p>
  const plotted = Object.entries(last.fields ?? {}).find(([, value]) => numberOf(value) !== undefined)?.[0]
  return (
    <div class="stack">
      {plotted !== undefined && <Curve events={events} name={plotted} />}
      <p class="muted">{count(last.number, 'event')}</p>
      <ol class="streamed">
        {events
          .slice(-LISTED)
          .toReversed()
          .map(({ at, data, fields }, index) => (
            // Keyed by place: changing the text of a row is cheaper than replacing the row.
            <li key={String(index)}>
              <span class="muted">{clock(at)}</span>{' '}
              {fields === undefined
                ? data
                : Object.entries(fields).map(([name, value]) => (
                    <span key={name} class={name === plotted ? 'plotted' : ''}>
                      {typeof value === 'string' ? value : JSON.stringify(value)}
                    </span>
                  ))}
            </li>
          ))}
      </ol>
    </div>
  )
}

function Curve({ events, name }: { events: readonly StreamedEvent[]; name: string }) {
  const to = events.at(-1)?.at ?? 0
  const times = events.map(({ at }) => at)
  const values = events.map(({ fields }) => numberOf(fields?.[name]) ?? null)
  return (
    <Chart
      title={name}
      lines={[{ label: name, times, values }]}
      format={short}
      from={to - SEEN_MS}
      to={to}
      height={170}
    />
  )
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined
}
