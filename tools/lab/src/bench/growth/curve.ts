import type { Contender } from '../../harness/contender.ts'
import { type Estimate, estimate, median } from '../estimate.ts'
import { measureRounds } from '../rounds.ts'

/**
 * How much more each may cost at a larger size. The machine's caches hold less of what is larger: a write of bare node:net to each
 * of 5000 clients costs 1.3 to 1.5 of one to each of 500.
 */
export const TOLERANCE = 1.5

/** One of the sizes that a curve is measured at. */
export interface Point {
  /** The load, length or number. */
  readonly size: number
  /** Measures at this size; its rate is of the same calls at every size. */
  readonly contender: Contender
  /** How many of these calls are the whole whose cost is shown, such as one for each token. Default 1: a call is the whole. */
  readonly calls?: number
}

/** A cost at several sizes. */
export interface Curve {
  /** The things that the sizes count, such as `tokens`. */
  readonly of: string
  /** The measured cost, such as `CPU time for a request with each token`. */
  readonly what: string
  /** Ascending. */
  readonly points: readonly Point[]
}

/** Prepares a curve; what it opens is closed with the stack. */
export type OpenCurve = (opened: AsyncDisposableStack) => Promise<Curve>

/** `in noise`: by its median it is worse than linear, but the rounds differ too much to say so. */
export type GrowthVerdict = 'at most linear' | 'in noise' | 'WORSE THAN LINEAR'

/** A measured curve. */
export interface Growth {
  readonly of: string
  readonly what: string
  readonly rounds: number
  /** `cost` is the median over the rounds, in seconds for the whole. */
  readonly costs: readonly { readonly size: number; readonly cost: number }[]
  /** How much more each costs at the largest size than at the smallest: 1 when the cost is linear, less when it grows less. */
  readonly each: Estimate
  readonly verdict: GrowthVerdict
}

/** Measures all sizes in the same rounds. */
export async function measureCurve({ of, what, points }: Curve, rounds: number): Promise<Growth> {
  const rates = await measureRounds(
    points.map(({ contender }) => contender),
    rounds,
  )
  const measured = points.map(({ size, contender, calls = 1 }) => {
    return { size, costs: (rates.get(contender) ?? []).map((rate) => calls / rate) }
  })
  return { of, what, rounds, ...judgeGrowth(measured) }
}

/** Costs of a size, a round each. */
interface Measured {
  readonly size: number
  readonly costs: readonly number[]
}

/**
 * A curve is worse than linear when between any two of its sizes the cost grows by more than the size does, times the tolerance: also when
 * it does so only at its end, where something constant no longer hides it.
 *
 * @throws {RangeError} when there are fewer than two sizes
 */
export function judgeGrowth(measured: readonly Measured[]): Pick<Growth, 'costs' | 'each' | 'verdict'> {
  const pairs = measured.flatMap((larger, index) => measured.slice(0, index).map((smaller) => ({ smaller, larger })))
  const growths = pairs.map(({ smaller, larger }) => growthOfEach(smaller, larger))
  const [first, last] = [measured.at(0), measured.at(-1)]
  if (first === undefined || last === undefined || first === last) throw new RangeError('one size makes no curve')
  const verdict = growths.some(({ low }) => low > TOLERANCE)
    ? 'WORSE THAN LINEAR'
    : growths.some((growth) => growth.median > TOLERANCE)
      ? 'in noise'
      : 'at most linear'
  const costs = measured.map(({ size, costs }) => ({ size, cost: median(costs) }))
  return { costs, each: growthOfEach(first, last), verdict }
}

function growthOfEach(smaller: Measured, larger: Measured): Estimate {
  const bySize = larger.size / smaller.size
  return estimate(larger.costs.map((cost, round) => cost / (smaller.costs[round] ?? Number.NaN) / bySize))
}
