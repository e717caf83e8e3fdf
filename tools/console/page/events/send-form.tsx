import { useSignal } from '@preact/signals'
import type { SentEvent } from '../../src/api/eventing.ts'
import { href } from '../address.ts'
import { send } from '../api.ts'
import { Action } from '../pieces/action.tsx'
import { Choice, Field } from '../pieces/field.tsx'
import { duration } from '../pieces/format.ts'
import { setter } from '../setter.ts'
import { type EventDraft, eventOf, TEMPLATES } from './templates.ts'

const TEMPLATE_NAMES = ['greeting', 'aloha', 'bonjour'] as const

/** A form for an event that starts from a template and is sent in binary or structured mode. */
export function SendForm({ brokers }: { brokers: readonly string[] }) {
  const draft = useSignal<EventDraft>(draftOf('greeting'))
  const broker = useSignal('')
  const mode = useSignal('binary')
  const sent = useSignal<SentEvent | undefined>(undefined)
  const target = broker.value || (brokers[0] ?? '')
  const set = (name: keyof EventDraft) => (text: string) => {
    draft.value = { ...draft.value, [name]: text }
  }
  const run = async () => {
    const body = { broker: target, mode: mode.value, event: eventOf(draft.value) }
    sent.value = await send<SentEvent>('POST', '/api/events', body)
    draft.value = { ...draft.value, id: crypto.randomUUID() }
  }
  return (
    <div class="send-form">
      <div class="stack">
        <ul class="row" aria-label="Templates">
          {TEMPLATE_NAMES.map((name) => (
            <li key={name}>
              <button
                type="button"
                onClick={() => {
                  draft.value = draftOf(name)
                }}
                aria-pressed={draft.value.type === name}
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
        <div class="filters">
          <Choice label="Broker" value={target} options={brokers} onValue={setter(broker)} />
          <Choice
            label="Mode"
            value={mode.value}
            options={[
              ['binary', 'binary: attributes as headers'],
              ['structured', 'structured: all in the body'],
            ]}
            onValue={setter(mode)}
          />
        </div>
        <div class="fields">
          <Field label="Type" value={draft.value.type} onValue={set('type')} required />
          <Field label="Source" value={draft.value.source} onValue={set('source')} required />
          <Field label="Id" value={draft.value.id} onValue={set('id')} required />
        </div>
        <Field label="Data" value={draft.value.data} onValue={set('data')} rows={4} hint="JSON, or empty" />
        <Field
          label="Other attributes"
          value={draft.value.extensions}
          onValue={set('extensions')}
          rows={2}
          hint="One per line: name: value"
        />
        <div>
          <Action run={run} done="event sent" kind="main" disabled={target === ''}>
            Send
          </Action>
          {target === '' && <p class="muted">No broker yet.</p>}
        </div>
      </div>
      {sent.value !== undefined && <SentView sent={sent.value} />}
    </div>
  )
}

function draftOf(name: keyof typeof TEMPLATES): EventDraft {
  return { ...TEMPLATES[name], id: crypto.randomUUID() }
}

/** The request that was sent, and its answer. */
function SentView({ sent: { request, answer, traceId } }: { sent: SentEvent }) {
  return (
    <div class="stack" role="status">
      <div class="row">
        <span class={`chip status-code ${answer.status < 300 ? 'good' : 'bad'}`}>{answer.status}</span>
        <span>after {duration(answer.tookMs)}</span>
        <a href={href('traces', [traceId])}>Trace</a>
      </div>
      {answer.body !== '' && <pre class="source">{answer.body}</pre>}
      <h3>Request</h3>
      <pre class="source">
        {[
          `${request.method} ${request.url}`,
          ...request.headers.map(([name, value]) => `${name}: ${value}`),
          '',
          request.body,
        ].join('\n')}
      </pre>
    </div>
  )
}
