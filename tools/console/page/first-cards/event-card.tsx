import { useSignal } from '@preact/signals'
import type { EventStory, SentEvent } from '../../src/api/eventing.ts'
import { href } from '../address.ts'
import { type Items, send } from '../api.ts'
import { resultOf } from '../events/result.ts'
import { TEMPLATES } from '../events/templates.ts'
import { usePolled } from '../live.ts'
import { Action } from '../pieces/action.tsx'
import { Curl } from '../pieces/curl.tsx'
import { duration } from '../pieces/format.ts'
import { State } from '../pieces/state.tsx'
import { Card } from './card.tsx'
import type { ChosenEvent } from './chosen.ts'

const POLL_MS = 1000

/** Sends an event, and shows its delivery by each trigger. */
export function EventCard({ event: { type, broker } }: { event: ChosenEvent }) {
  const sent = useSignal<SentEvent | undefined>(undefined)
  const query = new URLSearchParams({ type, limit: '20' })
  const { value } = usePolled<Items<EventStory>>(sent.value && `/api/events?${query}`, POLL_MS, sent.value?.traceId)
  const story = value.value?.items.find(({ traceId }) => traceId === sent.value?.traceId)
  const run = async () => {
    const data = type in TEMPLATES ? TEMPLATES[type as keyof typeof TEMPLATES].data : '{}'
    const event = { type, source: '/console', datacontenttype: 'application/json', data: JSON.parse(data) as unknown }
    sent.value = await send<SentEvent>('POST', '/api/events', { broker, mode: 'binary', event })
  }
  return (
    <Card
      title={`Send a ${type}`}
      text={`Sends an event of type ${type} to the broker ${broker}, which delivers it to the subscribers of its triggers.`}
      actions={
        <Action run={run} done="event sent" kind="main">
          Send
        </Action>
      }
    >
      {sent.value !== undefined && (
        <div class="stack" role="status">
          <p class="row">
            <span class={`chip ${sent.value.answer.status < 300 ? 'good' : 'bad'}`}>{sent.value.answer.status}</span>
            after {duration(sent.value.answer.tookMs)} <a href={href('traces', [sent.value.traceId])}>Trace</a>
            <a href={href('events')}>Events</a>
          </p>
          <ul>
            {(story?.triggers ?? []).map((triggered) => {
              const { text, health } = resultOf(triggered, false)
              return (
                <li key={triggered.trigger}>
                  {triggered.trigger} <State state={text} health={health} />
                </li>
              )
            })}
          </ul>
          <Curl line={sent.value.curl} />
        </div>
      )}
    </Card>
  )
}
