import type { Area } from './area.ts'
import type { Result } from './compare.ts'
import type { Estimate } from './estimate.ts'

const HEADER = ['peer', 'ratio', '95 %', 'budget', '']

export function table({ unit, isTime = false }: Pick<Area, 'unit' | 'isTime'>, results: readonly Result[]): string {
  const shown = (rate: number) => rounded(isTime ? 1 / rate : rate)
  const lines = results.map((result) => {
    const { row, oursRate, peerRate } = result
    const ours = `${row.ours.name} ${shown(oursRate)}`
    return [row.what, ours, `${row.peer.name} ${shown(peerRate)}`, ...outcome(result)]
  })
  return aligned([['', `ours (${unit})`, ...HEADER], ...lines])
}

/** Lines of cells, each as wide as the widest of its column. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n')
}

/** The measured value, its interval, the budget, and whether it holds. */
function outcome({ row, ratio, longer, verdict: known }: Result): readonly string[] {
  const verdict = known ?? ''
  if (row.atMostLonger === undefined) {
    const budget = row.atLeast === undefined ? '' : `≥ ${row.atLeast.toFixed(2)}`
    return [ratio.median.toFixed(2), interval(ratio, (value) => value.toFixed(2)), budget, verdict]
  }
  const asLonger = (seconds: number) => `${seconds < 0 ? '' : '+'}${duration(seconds)}`
  return [asLonger(longer.median), interval(longer, asLonger), `≤ ${asLonger(row.atMostLonger)}`, verdict]
}

/** From where to where, or nothing when there is no interval. */
export function interval({ low, high }: Estimate, shown: (value: number) => string): string {
  return low === high ? '' : `${shown(low)} to ${shown(high)}`
}

function duration(seconds: number): string {
  return Math.abs(seconds) < 1e-3 ? `${(seconds * 1e6).toFixed(2)} µs` : `${(seconds * 1e3).toFixed(2)} ms`
}

/** A rate with three digits at least. */
export function rounded(rate: number): string {
  return rate >= 100 ? Math.round(rate).toString() : rate.toPrecision(3)
}
