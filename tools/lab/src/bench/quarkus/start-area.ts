import type { Area, Contender } from '../area.ts'
import type { Launched } from '../bundled.ts'
import { type BothSides, openBothSides, withAnswering } from './both-sides.ts'

/** From the start of a process to its first answer, on the clock and on any core: ours from their bundles, beside Quarkus with AppCDS. */
export async function openQuarkusStartArea(opened: AsyncDisposableStack): Promise<Area> {
  const rows = (await openBothSides(opened)).map((sides) => ({
    what: `${sides.service}, from zero`,
    ours: starts(`${sides.service}-api`, sides, sides.ours),
    peer: starts('Quarkus', sides, sides.theirs),
    atLeast: 4,
  }))
  return { unit: 'starts per second, to the first answer', rows }
}

function starts(name: string, sides: BothSides, launch: () => Promise<Launched>): Contender {
  return {
    name,
    async measure() {
      const startedAt = performance.now()
      return await withAnswering(sides, launch, () => 1000 / (performance.now() - startedAt))
    },
  }
}
