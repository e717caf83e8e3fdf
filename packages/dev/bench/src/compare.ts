import type { Contender, Row } from './area.ts'

export interface Result {
  readonly row: Row
  /** Medians over the rounds. */
  readonly oursRate: number
  readonly peerRate: number
  /** The median of the rounds' ratios: both sides of a ratio were measured within seconds of each other. */
  readonly ratio: number
  /** The median of the rounds' differences: how much longer ours takes than the peer, in seconds for each. */
  readonly longer: number
  /** Whether the row keeps its budget. */
  readonly holds: boolean
}

/**
 * Measures every contender once per round, also one of several rows. Every second round goes in reverse order, so that a machine that
 * becomes slower or busier does so for all of them.
 */
export async function compare(rows: readonly Row[], rounds: number): Promise<readonly Result[]> {
  const contenders = [...new Set(rows.flatMap(({ ours, peer }) => [ours, peer]))]
  const rates = new Map<Contender, number[]>(contenders.map((contender) => [contender, []]))
  for (const contender of contenders) await contender.measure()
  for (let round = 0; round < rounds; round += 1) {
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      rates.get(contender)?.push(await contender.measure())
    }
  }
  return rows.map((row) => {
    const [ours = [], peer = []] = [rates.get(row.ours), rates.get(row.peer)]
    const ratio = median(ours.map((rate, round) => rate / (peer[round] ?? Number.NaN)))
    const longer = median(ours.map((rate, round) => 1 / rate - 1 / (peer[round] ?? Number.NaN)))
    const { atLeast = 0, atMostLonger = Number.POSITIVE_INFINITY } = row
    const holds = ratio >= atLeast && longer <= atMostLonger
    return { row, oursRate: median(ours), peerRate: median(peer), ratio, longer, holds }
  })
}

/** @throws {RangeError} when there are no values */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  if (low === undefined || high === undefined) throw new RangeError('no median without values')
  return (low + high) / 2
}
