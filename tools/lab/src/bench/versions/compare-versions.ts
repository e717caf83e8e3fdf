import type { Samples } from '../samples.ts'
import { compareSamples, movementTable } from './movement.ts'
import { LacksError } from './version.ts'

/** One of two versions: measures one round of an area. */
export type MeasureRound = (area: string) => Promise<readonly Samples[]>

interface Versions {
  readonly older: MeasureRound
  readonly newer: MeasureRound
  /** The name of the older version. */
  readonly ref: string
}

/**
 * Measures areas of two versions in turn, one round of each after the other, and prints of each area what moved. Each round has new
 * processes: two of one program may differ by a tenth. What the older version lacks is printed as well.
 *
 * @throws whatever a version throws, except that the older one lacks something
 */
export async function compareVersions(
  { older, newer, ref }: Versions,
  { areas, rounds, print }: { areas: readonly string[]; rounds: number; print: (text: string) => void },
): Promise<void> {
  for (const area of areas) {
    try {
      const measured = await alternate({ older, newer }, area, rounds)
      print(`${area}, ${rounds} rounds\n${movementTable(compareSamples(measured.older, measured.newer), ref)}\n`)
    } catch (error) {
      if (!(error instanceof LacksError)) throw error
      print(`${area}: left out, ${error.message}\n`)
    }
  }
}

async function alternate(versions: Omit<Versions, 'ref'>, area: string, rounds: number) {
  const measured = { older: [] as Samples[], newer: [] as Samples[] }
  for (let round = 0; round < rounds; round += 1) {
    for (const side of round % 2 === 0 ? (['older', 'newer'] as const) : (['newer', 'older'] as const)) {
      measured[side].push(...(await versions[side](area)))
    }
  }
  return measured
}
