import { aligned, interval } from '../table.ts'
import type { Growth } from './curve.ts'

/** Columns of a bar for ten times the cost. */
const DECADE = 20
/** Columns of the first bar, so that a cost that falls shows as well. */
const FIRST = 10
const UNITS = [
  { seconds: 1, name: 's' },
  { seconds: 1e-3, name: 'ms' },
  { seconds: 1e-6, name: 'µs' },
]

/**
 * A chart of lines: each size with its cost, the cost of each, and a bar on a logarithmic scale. As sizes are a factor apart, both axes
 * are logarithmic: `|` stands where the bar would end if the cost were linear.
 */
export function chart({ of, what, rounds, costs, each, verdict }: Growth): string {
  const [first] = costs
  if (first === undefined) throw new RangeError('no chart without sizes')
  const sizes = [of, ...costs.map(({ size }) => size.toLocaleString('en'))]
  const width = Math.max(...sizes.map((size) => size.length))
  const rows = costs.map(({ size, cost }, index) => [
    sizes[index + 1]?.padStart(width) ?? '',
    duration(cost),
    duration(cost / size),
    bar(cost / first.cost, size / first.size),
  ])
  const times = (value: number) => value.toFixed(2)
  const range = interval(each, times)
  const largest = costs.at(-1) ?? first
  const power = Math.log(largest.cost / first.cost) / Math.log(largest.size / first.size)
  const summary = `${verdict}: cost as n^${power.toFixed(2)}, each ×${times(each.median)}${range && ` (${range})`}, ${rounds} rounds`
  return [what, aligned([[of.padStart(width), 'cost', 'each', ''], ...rows]), summary]
    .join('\n')
    .replaceAll(/ +$/gm, '')
}

function bar(cost: number, linear: number): string {
  const [end, mark] = [column(cost), column(linear)]
  const filled = '█'.repeat(end).padEnd(mark)
  return `${filled.slice(0, mark)}|${filled.slice(mark + 1)}`
}

function column(factor: number): number {
  return Math.max(0, FIRST + Math.round(DECADE * Math.log10(factor)))
}

/** Three digits, in the unit in which they are 1 to 999. */
function duration(seconds: number): string {
  const unit = UNITS.find((each) => seconds >= each.seconds * 0.9995) ?? { seconds: 1e-9, name: 'ns' }
  return `${(seconds / unit.seconds).toPrecision(3)} ${unit.name}`
}
