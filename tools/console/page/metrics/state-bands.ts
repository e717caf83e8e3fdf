import type { Series } from '../../src/api/traces.ts'
import type { Band } from '../pieces/band.ts'

/** One thing with a state: its name, and its states over time. */
export interface StateRow {
  readonly label: string
  readonly bands: readonly Band[]
}

const HEALTH: Readonly<Record<string, Band['health']>> = { closed: 'up', open: 'down', halfOpen: 'warn' }
/** Metrics are read every 5 s or 30 s: a longer pause is a gap. */
const GAP_MS = 90_000

/** Rows of series that have a label `state` and the value 1 while this state lasts. */
export function stateRows(series: readonly Series[]): readonly StateRow[] {
  return [...Map.groupBy(series, labelOf)].map(([label, own]) => ({ label, bands: bandsOf(own) }))
}

function labelOf({ service, labels }: Series): string {
  const others = Object.entries(labels).flatMap(([name, value]) => (name === 'state' ? [] : [value]))
  return [service, ...others].join(' · ')
}

function bandsOf(series: readonly Series[]): readonly Band[] {
  const samples = series
    .flatMap(({ labels: { state = '' }, times, values }) =>
      times.flatMap((time, index) => (values[index] === 1 ? [{ state, time }] : [])),
    )
    .sort((a, b) => a.time - b.time)
  const bands: Band[] = []
  for (const { state, time } of samples) {
    const last = bands.at(-1)
    const isNext = last !== undefined && time - last.to <= GAP_MS
    if (isNext) bands[bands.length - 1] = { ...last, to: time }
    if (!isNext || last.state !== state) bands.push({ state, health: HEALTH[state] ?? 'rest', from: time, to: time })
  }
  return bands
}
