import type { TriedEvent } from '../../src/api/requests.ts'
import { href } from '../address.ts'
import type { ApiProblem } from '../api.ts'
import { Curl } from '../pieces/curl.tsx'
import { bytes, count, duration } from '../pieces/format.ts'
import { MaybeJson } from '../pieces/json.tsx'
import { Problem } from '../pieces/notice.tsx'
import { Pairs } from '../pieces/pairs.tsx'
import { EventStream } from './event-stream.tsx'
import type { StreamedEvent } from './streamed-events.ts'

export interface TriedAnswer {
  readonly isRunning: boolean
  readonly text: string
  /** Events of a body that is a stream of them. */
  readonly events?: readonly StreamedEvent[]
  readonly head?: Extract<TriedEvent, { event: 'head' }>
  readonly end?: Extract<TriedEvent, { event: 'end' }>
  readonly problem?: ApiProblem
}

const MOST_SHOWN = 200_000

export function isEventStream({ headers }: Extract<TriedEvent, { event: 'head' }>): boolean {
  return headers.some(([name, value]) => /^content-type$/i.test(name) && /event-stream/i.test(value))
}

/** An answer as it arrives: status, timing, body, trace, and a curl line for the same request. */
export function AnswerView({ answer: { head, end, text, events, isRunning, problem } }: { answer: TriedAnswer }) {
  return (
    <section class="card stack" aria-label="Answer" aria-busy={isRunning}>
      <Problem problem={problem} />
      {head === undefined && problem === undefined && <p class="muted">Waiting for the answer …</p>}
      {head !== undefined && (
        <>
          <div class="row">
            <span class={`chip status-code ${head.status < 400 ? 'good' : 'bad'}`}>{head.status}</span>
            <span>first byte after {duration(head.tookMs)}</span>
            {end !== undefined && (
              <span>
                · complete after {duration(end.tookMs)}, {bytes(end.bytes)}
              </span>
            )}
            <a href={href('traces', [head.traceId])}>Trace</a>
            <a href={href('logs', [], { trace: head.traceId })}>Logs</a>
          </div>
          {end?.error !== undefined && <p class="notice bad">The response ended early: {end.error}</p>}
          {events === undefined ? <Body text={text} /> : <EventStream events={events} isRunning={isRunning} />}
          <div class="stack">
            <h3>The same by curl</h3>
            <Curl line={head.curl} />
          </div>
          <details>
            <summary>{count(head.headers.length, 'header')}</summary>
            <Pairs class="mono" of={head.headers} />
          </details>
        </>
      )}
    </section>
  )
}

function Body({ text }: { text: string }) {
  if (text === '') return <p class="muted">No body.</p>
  if (text.length <= MOST_SHOWN) return <MaybeJson text={text} />
  return (
    <>
      <p class="muted">The first {bytes(MOST_SHOWN)} of the body:</p>
      <pre class="source">{text.slice(0, MOST_SHOWN)}</pre>
    </>
  )
}
