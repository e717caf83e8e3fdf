import type { Contender } from '../harness/contender.ts'

/**
 * Measures every contender once per round, after a warm-up; gives each one's rates, a round each. Every second round goes in reverse order,
 * so that a machine that becomes slower or busier does so for all of them.
 */
export async function measureRounds(
  contenders: readonly Contender[],
  rounds: number,
): Promise<ReadonlyMap<Contender, readonly number[]>> {
  const rates = new Map<Contender, number[]>(contenders.map((contender) => [contender, []]))
  for (const contender of rates.keys()) await contender.measure()
  for (let round = 0; round < rounds; round += 1) {
    for (const [contender, measured] of round % 2 === 0 ? rates : [...rates].toReversed()) {
      measured.push(await contender.measure())
    }
  }
  return rates
}
