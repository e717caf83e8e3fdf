import type { LogLine } from '../../src/api/services.ts'
import { href } from '../address.ts'
import type { Items } from '../api.ts'
import { usePolled } from '../live.ts'
import { clock } from '../pieces/format.ts'

const MOST = 200

export function TraceLogs({ traceId }: { traceId: string }) {
  const query = new URLSearchParams({ trace: traceId, limit: String(MOST) })
  const { value } = usePolled<Items<LogLine>>(`/api/logs?${query}`, 3000)
  const lines = value.value?.items ?? []
  return (
    <section class="card stack" aria-label="Logs of the trace">
      <div class="head">
        <h2>Logs</h2>
        <a href={href('logs', [], { trace: traceId })}>Open in Logs</a>
      </div>
      {lines.length === 0 ? (
        <p class="muted">No log lines in this trace.</p>
      ) : (
        <ol class="few-lines">
          {lines.map(({ id, time, level, service, msg, spanId }) => (
            <li key={id} class={level}>
              <span class="muted">{clock(time)}</span> <span class="level">{level}</span>{' '}
              <a href={href('traces', [traceId], { span: spanId })}>{service}</a> {msg}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
