import type { Attributes, AttributeValue, SpanView } from '../../src/api/traces.ts'
import { href } from '../address.ts'
import { Breakable } from '../pieces/breakable.tsx'
import { Copy } from '../pieces/copy.tsx'
import { Detail } from '../pieces/detail.tsx'
import { duration } from '../pieces/format.ts'
import { Pairs } from '../pieces/pairs.tsx'
import type { Extent } from './span-tree.ts'
import type { Wait } from './waits.ts'

interface SpanDetailProps {
  readonly span: SpanView
  /** Start of the trace. */
  readonly from: number
  /** The stretches of the critical path that the span has. */
  readonly path: readonly Extent[] | undefined
  readonly waits: readonly Wait[] | undefined
  readonly onClose: () => void
}

export function SpanDetail({ span, from, path = [], waits = [], onClose }: SpanDetailProps) {
  return (
    <Detail label="The chosen span" title={<Breakable text={span.name} />} onClose={onClose}>
      <p>
        <a href={href('services', [span.service])}>{span.service}</a> · {span.kind} · {duration(span.durationMs)} ·
        after {duration(span.startedAt - from)}
      </p>
      {path.length > 0 && <p>On the critical path for {duration(path.reduce((sum, { ms }) => sum + ms, 0))}</p>}
      {waits.map(({ from: since, text, more }) => (
        <p key={since} class="waited">
          {text}. {more}
        </p>
      ))}
      {span.status === 'error' && (
        <p class="notice bad">
          <strong>Error</strong> {span.statusMessage}
        </p>
      )}
      {Object.keys(span.attributes).length > 0 && (
        <section class="stack">
          <h3>Attributes</h3>
          <AttributePairs values={span.attributes} />
        </section>
      )}
      <Dropped count={span.droppedAttributes} what="attributes" />
      {span.events.length > 0 && (
        <section class="stack">
          <h3>Events</h3>
          {span.events.map((event) => (
            <div key={`${event.time} ${event.name}`} class="span-event">
              <strong>{event.name}</strong> <span class="muted">after {duration(event.time - span.startedAt)}</span>
              <AttributePairs values={event.attributes} />
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
                <AttributePairs values={link.attributes} />
                <Dropped count={link.droppedAttributes} what="attributes" />
              </li>
            ))}
          </ul>
        </section>
      )}
      <Dropped count={span.droppedLinks} what="links" />
      <details>
        <summary>Resource and scope</summary>
        <AttributePairs values={{ ...span.resource, scope: span.scope }} />
        <Dropped count={span.droppedResourceAttributes} what="attributes" />
      </details>
      <p class="row">
        <span class="mono muted">span {span.spanId}</span>
        <Copy text={() => span.spanId} what="id of the span" />
      </p>
    </Detail>
  )
}

/** The number of items that the sender or the console dropped (OTLP's `dropped_attributes_count`). */
function Dropped({ count = 0, what }: { count: number | undefined; what: string }) {
  return count === 0 ? null : (
    <p class="muted">
      {count} more {what} dropped
    </p>
  )
}

function AttributePairs({ values }: { values: Attributes }) {
  return (
    <Pairs
      class="mono lines-kept copied"
      of={Object.entries(values).map(([name, value]) => [
        name,
        <>
          {textOf(value)} <Copy text={() => textOf(value)} what={name} />
        </>,
      ])}
    />
  )
}

function textOf(value: AttributeValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
