import { residentBytes } from '@taproom/testkit'
import type { Area } from '../area.ts'
import type { Launched } from '../bundled.ts'
import { type Load, startLoad } from '../load.ts'
import { type BothSides, openBothSides, withAnswering } from './both-sides.ts'
import { oncePerRound } from './load-run.ts'

const GIBIBYTE = 1024 ** 3
const LOAD_SECONDS = 10

/** Resident memory of a process that has just answered for the first time, and after ten seconds of load. */
export async function openQuarkusMemoryArea(opened: AsyncDisposableStack): Promise<Area> {
  const sides = await openBothSides(opened)
  const load = opened.use(startLoad())
  const rows = sides.flatMap((side) => {
    const ours = sizes(`${side.service}-api`, side, side.ours, load)
    const theirs = sizes('Quarkus', side, side.theirs, load)
    return [
      { what: `${side.service}, idle`, ours: ours.idle, peer: theirs.idle, atLeast: 1 },
      { what: `${side.service}, after load`, ours: ours.loaded, peer: theirs.loaded, atLeast: 1 },
    ]
  })
  return { unit: 'processes in 1 GiB of memory', rows }
}

function sizes(name: string, sides: BothSides, launch: () => Promise<Launched>, load: Load) {
  const { path, authorization } = sides
  const request = { path, authorizations: authorization === undefined ? [] : [authorization], seconds: LOAD_SECONDS }
  return oncePerRound(name, ['idle', 'loaded'], () =>
    withAnswering(sides, launch, async (server) => {
      const pid = server.child.pid ?? 0
      const idle = GIBIBYTE / residentBytes(pid)
      await load.run(name, server, request)
      return { idle, loaded: GIBIBYTE / residentBytes(pid) }
    }),
  )
}
