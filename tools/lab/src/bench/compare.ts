import type { Row } from './area.ts'
import { type Estimate, estimate, median } from './estimate.ts'
import { measureRounds } from './rounds.ts'

/** `in noise`: the median misses the budget, but the rounds differ too much to say so. */
export type Verdict = 'holds' | 'in noise' | 'MISSED'

export interface Result {
  readonly row: Row
  /** Medians over the rounds. */
  readonly oursRate: number
  readonly peerRate: number
  /** From the rounds' ratios: both sides of a ratio were measured within seconds of each other. */
  readonly ratio: Estimate
  /** From the rounds' differences: how much longer ours takes than the peer, in seconds for each. */
  readonly longer: Estimate
  /** Undefined for a row without a budget. */
  readonly verdict: Verdict | undefined
}

/** Measures every contender in the same rounds, also one of several rows once a round. */
export async function compare(rows: readonly Row[], rounds: number): Promise<readonly Result[]> {
  const rates = await measureRounds(
    rows.flatMap(({ ours, peer }) => [ours, peer]),
    rounds,
  )
  return rows.map((row) => {
    const [ours = [], peer = []] = [rates.get(row.ours), rates.get(row.peer)]
    const ratio = estimate(ours.map((rate, round) => rate / (peer[round] ?? Number.NaN)))
    const longer = estimate(ours.map((rate, round) => 1 / rate - 1 / (peer[round] ?? Number.NaN)))
    return { row, oursRate: median(ours), peerRate: median(peer), ratio, longer, verdict: verdict(row, ratio, longer) }
  })
}

function verdict({ atLeast, atMostLonger }: Row, ratio: Estimate, longer: Estimate): Verdict | undefined {
  if (atLeast === undefined && atMostLonger === undefined) return undefined
  const misses = (ratioAt: number, longerAt: number) =>
    ratioAt < (atLeast ?? 0) || longerAt > (atMostLonger ?? Number.POSITIVE_INFINITY)
  if (!misses(ratio.median, longer.median)) return 'holds'
  return misses(ratio.high, longer.low) ? 'MISSED' : 'in noise'
}
