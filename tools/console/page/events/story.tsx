import type { EventStory, SentEvent } from '../../src/api/eventing.ts'
import { href } from '../address.ts'
import { send } from '../api.ts'
import { Action } from '../pieces/action.tsx'
import { clock, duration } from '../pieces/format.ts'
import { State } from '../pieces/state.tsx'
import { attemptsText, attemptText } from './attempt-text.ts'
import { resultOf } from './result.ts'

type Triggered = EventStory['triggers'][number]

interface StoryProps {
  readonly story: EventStory
  /** Triggers that exist, as `namespace/name`; undefined while they are unknown. */
  readonly known: readonly string[] | undefined
}

/** The story of one event: accepted by the broker, then for each trigger the attempts on one scale of time. */
export function Story({ story, known }: StoryProps) {
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
            <Way
              triggered={triggered}
              isRemoved={known?.includes(triggered.trigger) === false}
              from={acceptedAt}
              ms={ms}
            />
          </li>
        ))}
      </ul>
      {canRepeat && (
        <div class="row">
          <Action
            run={() => send<SentEvent>('POST', '/api/events/again', record)}
            done="event sent again"
            loses="All triggers of the broker receive the event again."
          >
            Send again
          </Action>
        </div>
      )}
    </article>
  )
}

interface WayProps {
  readonly triggered: Triggered
  /** The trigger does not exist any more: an open delivery has ended without a result. */
  readonly isRemoved: boolean
  readonly from: number
  readonly ms: number
}

function Way({ triggered, isRemoved, from, ms }: WayProps) {
  const { trigger, filter, attempts, hasReply } = triggered
  const result = resultOf(triggered, isRemoved)
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
        <State state={result.text} health={result.health} />
        {hasReply && <span class="chip">replied</span>}
      </span>
      {attempts.length > 0 && (
        <details class="way-more">
          <summary>{attemptsText(attempts)}</summary>
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
