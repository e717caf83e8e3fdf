import type { TraceSummary } from '../../src/api/traces.ts'
import { href } from '../address.ts'
import { clock, duration } from '../pieces/format.ts'

const WIDTH = 1000
const HEIGHT = 120
const LEFT = 56
const BOTTOM = 18

/** When each trace began and how long it took: what is slow or failing stands out. The list below has the same in words. */
export function Scatter({ traces }: { traces: readonly TraceSummary[] }) {
  const starts = traces.map(({ startedAt }) => startedAt)
  const from = Math.min(...starts)
  const span = Math.max(1000, Math.max(...starts) - from)
  const logs = traces.map(({ durationMs }) => Math.log10(Math.max(0.1, durationMs)))
  const low = Math.floor(Math.min(...logs))
  const high = Math.max(low + 1, Math.ceil(Math.max(...logs)))
  const x = (time: number) => LEFT + ((time - from) / span) * (WIDTH - LEFT - 10)
  const y = (log: number) => HEIGHT - BOTTOM - ((log - low) / (high - low)) * (HEIGHT - BOTTOM - 10)
  const decades = Array.from({ length: high - low + 1 }, (_, index) => low + index)
  return (
    <section class="card scatter" aria-label="Traces by time and duration">
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the list has the same for those who do not see it */}
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
        {decades.map((decade) => (
          <g key={decade}>
            <line x1={LEFT} x2={WIDTH} y1={y(decade)} y2={y(decade)} />
            <text x={LEFT - 8} y={y(decade) + 4} text-anchor="end">
              {duration(10 ** decade)}
            </text>
          </g>
        ))}
        <text x={LEFT} y={HEIGHT - 3}>
          {clock(from).slice(0, 8)}
        </text>
        <text x={WIDTH - 10} y={HEIGHT - 3} text-anchor="end">
          {clock(from + span).slice(0, 8)}
        </text>
        {traces.map((trace, index) => (
          <a key={trace.traceId} href={href('traces', [trace.traceId])} tabIndex={-1} aria-label={tell(trace)}>
            <circle class={trace.errors > 0 ? 'bad' : ''} cx={x(trace.startedAt)} cy={y(logs[index] ?? low)} r="4.5">
              <title>{tell(trace)}</title>
            </circle>
          </a>
        ))}
      </svg>
    </section>
  )
}

function tell({ name, durationMs }: TraceSummary): string {
  return `${name} ${duration(durationMs)}`
}
