import type { LogLine } from '../../src/api/services.ts'
import { href } from '../address.ts'
import { clock } from '../pieces/format.ts'
import { MaybeJson } from '../pieces/json.tsx'

/** Everything of one line. */
export function LogDetail({ line, onClose }: { line: LogLine; onClose: () => void }) {
  const { time, level, service, msg, traceId, spanId, fields } = line
  return (
    <aside class="card stack" aria-label="The chosen line">
      <div class="head">
        <h2>{clock(time)}</h2>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      <p class="break">{msg}</p>
      <dl class="pairs">
        <div>
          <dt>level</dt>
          <dd>{level}</dd>
        </div>
        <div>
          <dt>service</dt>
          <dd>
            <a href={href('services', [service])}>{service}</a>
          </dd>
        </div>
        {traceId !== undefined && (
          <div>
            <dt>trace</dt>
            <dd>
              <a class="mono" href={href('traces', [traceId], { span: spanId })}>
                {traceId}
              </a>{' '}
              <a href={href('logs', [], { trace: traceId })}>Its lines</a>
            </dd>
          </div>
        )}
        {Object.entries(fields).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {typeof value === 'object' && value !== null ? (
                <MaybeJson text={JSON.stringify(value)} />
              ) : (
                <span class="mono lines-kept">{String(value)}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </aside>
  )
}
