import type { SentEvent } from '../../src/api/eventing.ts'
import { href } from '../address.ts'
import { duration } from '../pieces/format.ts'

/** What went over the wire, and its answer. */
export function SentView({ sent: { request, answer, traceId } }: { sent: SentEvent }) {
  return (
    <div class="stack" role="status">
      <div class="row">
        <span class={`chip status-code ${answer.status < 300 ? 'good' : 'bad'}`}>{answer.status}</span>
        <span>after {duration(answer.tookMs)}</span>
        <a href={href('traces', [traceId])}>Its trace</a>
      </div>
      {answer.body !== '' && <pre class="source">{answer.body}</pre>}
      <h3>Over the wire</h3>
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
