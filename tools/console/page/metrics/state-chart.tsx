import { Bands } from '../pieces/bands.tsx'
import { clock } from '../pieces/format.ts'
import { State } from '../pieces/state.tsx'
import type { StateRow } from './state-bands.ts'

interface StateChartProps {
  readonly title: string
  readonly rows: readonly StateRow[]
  readonly from: number
  readonly to: number
}

/** States over time as bands, one row for each thing, with its last state. */
export function StateChart({ title, rows, from, to }: StateChartProps) {
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <ul class="band-rows">
        {rows.map(({ label, bands }) => (
          <li key={label}>
            <span class="row">
              {label} <LastState band={bands.at(-1)} />
            </span>
            <Bands bands={bands} from={from} to={to} />
          </li>
        ))}
      </ul>
      <div class="band-axis" aria-hidden="true">
        <span>{clock(from).slice(0, 8)}</span>
        <span>{clock(to).slice(0, 8)}</span>
      </div>
    </figure>
  )
}

function LastState({ band }: { band: StateRow['bands'][number] | undefined }) {
  if (band === undefined) return <span class="muted">no state yet</span>
  return <State state={band.state} health={band.health} />
}
