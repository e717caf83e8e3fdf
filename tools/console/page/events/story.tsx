import type { EventStory, SentEvent } from '../../src/api/eventing.ts'
import { href } from '../address.ts'
import { send } from '../api.ts'
import { Action } from '../pieces/action.tsx'
import { clock, duration } from '../pieces/format.ts'
import { State } from '../pieces/state.tsx'

type Triggered = EventStory['triggers'][number]

const ENDS: Readonly<Record<string, string>> = { delivered: 'up', 'dead-lettered': 'down', dropped: 'down' }

/** What happened to one event: taken by the broker, then for each trigger the attempts on one scale of time. */
export function Story({ story }: { story: EventStory }) {
  const { id, type, source, broker, acceptedAt, refused, triggers, traceId, record } = story
  const ends = triggers.flatMap(({ attempts }) => attempts.map(({ startedAt, durationMs }) => startedAt + durationMs))
  const ms = Math.max(1, ...ends.map((end) => end - acceptedAt))
  const canRepeat =
    record !== undefined && triggers.some(({ isDeadLettered, end }) => isDeadLettered || end === 'dropped')
  return (
    <article class="story stack" aria-label={`event ${id}`}>
      <div class="head">
        <div class="row">
          <h2>{type || '(no type yet)'}</h2>
          <span class="muted break">
            {id} from {source}
          </span>
        </div>
        <p class="row">
          <span class="mono">{clock(acceptedAt)}</span>
          <a href={href('traces', [traceId])}>Trace</a>
          {record !== undefined && (
            <a href={href('kafka', ['topics', record.topic])}>{`${record.partition}/${record.offset}`}</a>
          )}
        </p>
      </div>
      {refused === undefined ? (
        <p class="muted">accepted by {broker}</p>
      ) : (
        <p class="notice bad">
          <strong>Refused</strong> {refused}
        </p>
      )}
      <ul class="ways">
        {triggers.map((triggered) => (
          <li key={triggered.trigger}>
            <Way triggered={triggered} from={acceptedAt} ms={ms} />
          </li>
        ))}
      </ul>
      {canRepeat && (
        <div class="row">
          <Action run={() => send<SentEvent>('POST', '/api/events/again', record)} done="event sent again">
            Send it again
          </Action>
        </div>
      )}
    </article>
  )
}

function Way({ triggered, from, ms }: { triggered: Triggered; from: number; ms: number }) {
  const { trigger, filter, end, attempts, hasReply } = triggered
  const last = attempts.at(-1)
  const tells =
    filter === 'not-matched' ? 'filtered out' : filter === 'failed' ? 'its filter failed' : (end ?? 'under way')
  return (
    <div class={`way ${filter}`}>
      <span class="way-name break">{trigger}</span>
      <span class="way-track">
        {attempts.map((attempt, index) => (
          <span
            key={attempt.startedAt}
            class={`attempt ${attempt.error === undefined && (attempt.status ?? 200) < 300 ? 'good' : 'bad'} ${attempt.isDeadLetter ? 'dead' : ''}`}
            style={{
              left: `${((attempt.startedAt - from) / ms) * 100}%`,
              width: `max(5px, ${(attempt.durationMs / ms) * 100}%)`,
            }}
            title={attemptText(attempt, index)}
          />
        ))}
      </span>
      <span class="way-end">
        <State state={tells} health={ENDS[tells] ?? (tells === 'under way' ? 'warn' : 'rest')} />
        {hasReply && <span class="chip">replied</span>}
      </span>
      {attempts.length > 0 && (
        <details class="way-more">
          <summary>
            {attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`}
            {last !== undefined && `, the last ${attemptEnd(last)}`}
          </summary>
          <ol>
            {attempts.map((attempt, index) => (
              <li key={attempt.startedAt} class="break">
                after {duration(Math.max(0, attempt.startedAt - from))}: {attemptText(attempt, index)}
              </li>
            ))}
          </ol>
        </details>
      )}
    </div>
  )
}

function attemptEnd({ status, error, durationMs }: Triggered['attempts'][number]): string {
  return `${status ?? error ?? 'no answer yet'} in ${duration(durationMs)}`
}

function attemptText(attempt: Triggered['attempts'][number], index: number): string {
  const what = attempt.isDeadLetter ? 'dead letter' : `attempt ${index + 1}`
  return `${what} to ${attempt.destination}: ${attemptEnd(attempt)}${attempt.error === undefined ? '' : ` (${attempt.error})`}`
}
