import type { Attributes, AttributeValue, SpanView } from '../../src/api/traces.ts'
import { href } from '../address.ts'
import { duration } from '../pieces/format.ts'

/** Everything of one span. */
export function SpanDetail({ span, from, onClose }: { span: SpanView; from: number; onClose: () => void }) {
  return (
    <aside class="card stack" aria-label="The chosen span">
      <div class="head">
        <h2>{span.name}</h2>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      <p>
        <a href={href('services', [span.service])}>{span.service}</a> · {span.kind} · {duration(span.durationMs)} ·
        after {duration(span.startedAt - from)}
      </p>
      {span.status === 'error' && (
        <p class="notice bad">
          <strong>Error</strong> {span.statusMessage}
        </p>
      )}
      <Values title="Attributes" values={span.attributes} />
      <Dropped count={span.droppedAttributes} what="attributes" />
      {span.events.length > 0 && (
        <section class="stack">
          <h3>Events</h3>
          {span.events.map((event) => (
            <div key={`${event.time} ${event.name}`} class="span-event">
              <strong>{event.name}</strong> <span class="muted">after {duration(event.time - span.startedAt)}</span>
              <Pairs values={event.attributes} />
              <Dropped count={event.droppedAttributes} what="attributes" />
            </div>
          ))}
        </section>
      )}
      <Dropped count={span.droppedEvents} what="events" />
      {span.links.length > 0 && (
        <section class="stack">
          <h3>Links</h3>
          <ul class="stack">
            {span.links.map((link) => (
              <li key={link.spanId}>
                <a class="mono" href={href('traces', [link.traceId], { span: link.spanId })}>
                  {link.traceId.slice(0, 16)} / {link.spanId}
                </a>
                <Pairs values={link.attributes} />
                <Dropped count={link.droppedAttributes} what="attributes" />
              </li>
            ))}
          </ul>
        </section>
      )}
      <Dropped count={span.droppedLinks} what="links" />
      <details>
        <summary>Resource and scope</summary>
        <Pairs values={{ ...span.resource, scope: span.scope }} />
        <Dropped count={span.droppedResourceAttributes} what="attributes" />
      </details>
      <p class="mono muted break">span {span.spanId}</p>
    </aside>
  )
}

/** What the sender or the console has left out (OTLP's `dropped_attributes_count`). */
function Dropped({ count = 0, what }: { count: number | undefined; what: string }) {
  return count === 0 ? null : (
    <p class="muted">
      {count} more {what} dropped
    </p>
  )
}

function Values({ title, values }: { title: string; values: Attributes }) {
  if (Object.keys(values).length === 0) return null
  return (
    <section class="stack">
      <h3>{title}</h3>
      <Pairs values={values} />
    </section>
  )
}

function Pairs({ values }: { values: Attributes }) {
  return (
    <dl class="pairs">
      {Object.entries(values).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="mono lines-kept">{textOf(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function textOf(value: AttributeValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
