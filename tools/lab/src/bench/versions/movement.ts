import { type Estimate, estimate, FEWEST_VALUES, median } from '../estimate.ts'
import { keyOf, type Samples } from '../samples.ts'
import { aligned, interval, rounded } from '../table.ts'

/** `in noise`: the interval has 1 in it, or there is none. */
export type Move = 'better' | 'worse' | 'in noise'

export interface Movement {
  readonly row: string
  readonly name: string
  readonly unit: string
  /** Medians over the rounds. */
  readonly oldRate: number
  readonly newRate: number
  /** From the rounds' ratios, new to old. */
  readonly ratio: Estimate
  readonly move: Move
}

/** The rows of two versions. */
export interface Compared {
  readonly both: readonly Movement[]
  /** Names of rows that one of them lacks. */
  readonly onlyOld: readonly string[]
  readonly onlyNew: readonly string[]
}

/** Compares what two versions measured, round by round: both of a round were measured one after the other. */
export function compareSamples(older: readonly Samples[], newer: readonly Samples[]): Compared {
  const [before, after] = [merged(older), merged(newer)]
  const both = [...after].flatMap(([key, row]) => {
    const old = before.get(key)
    return old === undefined ? [] : [movement(old, row)]
  })
  const missing = (from: typeof before, to: typeof before) => [...from.keys()].filter((key) => !to.has(key))
  return { both, onlyOld: missing(before, after), onlyNew: missing(after, before) }
}

/** One for each row, with the samples of all rounds. */
function merged(rows: readonly Samples[]): ReadonlyMap<string, Samples> {
  const byKey = new Map<string, Samples>()
  for (const row of rows) {
    const samples = [...(byKey.get(keyOf(row))?.samples ?? []), ...row.samples]
    byKey.set(keyOf(row), { ...row, samples })
  }
  return byKey
}

function movement(old: Samples, { row, name, unit, samples }: Samples): Movement {
  if (old.samples.length !== samples.length) {
    throw new RangeError(`${row}: ${old.samples.length} old samples and ${samples.length} new ones are no rounds`)
  }
  const ratio = estimate(samples.map((rate, round) => rate / (old.samples[round] ?? Number.NaN)))
  return {
    row,
    name,
    unit,
    oldRate: median(old.samples),
    newRate: median(samples),
    ratio,
    move: moveOf(ratio, samples.length),
  }
}

function moveOf({ low, high }: Estimate, rounds: number): Move {
  if (rounds < FEWEST_VALUES) return 'in noise'
  if (low > 1) return 'better'
  return high < 1 ? 'worse' : 'in noise'
}

/** A table of what moved, and below it the rows that only one version has. */
export function movementTable({ both, onlyOld, onlyNew }: Compared, ref: string): string {
  const lines = both.map(({ row, name, unit, oldRate, newRate, ratio, move }) => {
    const shown = [rounded(oldRate), rounded(newRate), ratio.median.toFixed(3)]
    return [row, name, ...shown, interval(ratio, (value) => value.toFixed(3)), move, unit]
  })
  const missing = [
    ...onlyNew.map((key) => `${ref} has no row ${key}`),
    ...onlyOld.map((key) => `only ${ref} has the row ${key}`),
  ]
  const header = ['', '', ref, 'this', 'ratio', '95 %', '', 'unit (more is better)']
  return [...(both.length > 0 ? [aligned([header, ...lines])] : []), ...missing].join('\n')
}
