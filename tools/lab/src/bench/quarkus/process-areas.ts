import { join } from 'node:path'
import { residentBytes, waitFor } from '@taproom/testkit'
import { APPS, type App } from '../../harness/apps.ts'
import { type Contender, contender } from '../../harness/contender.ts'
import { type Load, startLoad } from '../../harness/http-load.ts'
import { temporaryFolder } from '../../harness/temporary-folder.ts'
import type { Area } from '../area.ts'
import { type Launched, openBundled } from '../bundled.ts'
import { CLAIM_PATH, openClaims } from '../claim/claims.ts'
import { startRemote } from '../films/movies.ts'
import { oncePerRound } from './load-run.ts'
import { makeQuarkus } from './made-quarkus.ts'
import { launchQuarkus } from './quarkus-process.ts'

const START_MS = 60_000
const STOP_LIMIT_MS = 10_000
const GIBIBYTE = 1024 ** 3
const LOAD_SECONDS = 10

/** From the start of a process to its first answer, on the clock and on any core: ours from their bundles, beside Quarkus with AppCDS. */
export async function openQuarkusStartArea(opened: AsyncDisposableStack): Promise<Area> {
  const rows = (await openBothSides(opened)).map((sides) => ({
    what: `${sides.service}, from zero`,
    ours: starts(sides.app, sides, sides.ours),
    peer: starts('Quarkus', sides, sides.theirs),
    atLeast: 4,
  }))
  return { unit: 'starts per second, to the first answer', rows }
}

function starts(name: string, sides: BothSides, launch: () => Promise<Launched>): Contender {
  return contender(name, async () => {
    const startedAt = performance.now()
    return await withAnswering(sides, launch, () => 1000 / (performance.now() - startedAt))
  })
}

/** Resident memory of a process that has just answered for the first time, and after ten seconds of load. */
export async function openQuarkusMemoryArea(opened: AsyncDisposableStack): Promise<Area> {
  const sides = await openBothSides(opened)
  const load = opened.use(startLoad())
  const rows = sides.flatMap((side) => {
    const ours = sizes(side.app, side, side.ours, load)
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

/** The same service of both sides, and what it is asked first. */
interface BothSides {
  readonly service: string
  readonly app: App
  readonly path: string
  readonly authorization?: string
  ours(): Promise<Launched>
  theirs(): Promise<Launched>
}

/** Both services and their peers, on any core. */
async function openBothSides(opened: AsyncDisposableStack): Promise<readonly [BothSides, BothSides]> {
  const made = await makeQuarkus()
  const bundled = await openBundled(opened)
  const claims = await openClaims()
  const folder = await temporaryFolder(opened, 'bench-both')
  const remote = opened.use(await startRemote())
  const database = `sqlite:${join(folder, 'films.sqlite')}`
  return [
    {
      service: 'claim',
      app: APPS.claims,
      path: CLAIM_PATH,
      authorization: await claims.token({ user: 'duke' }),
      ours: () => bundled(APPS.claims, claims.env),
      theirs: () => launchQuarkus(made, 'claim', { env: claims.env, isPinned: false }),
    },
    {
      service: 'movie',
      app: APPS.films,
      path: '/movie',
      ours: () => bundled(APPS.films, { DATABASE_URL: database, FILM_SERVICE_URL: remote.url }),
      theirs: () =>
        launchQuarkus(made, 'movie', {
          env: { QUARKUS_REST_CLIENT_FILM_SERVICE_URL: remote.url },
          isPinned: false,
        }),
    },
  ]
}

/** Runs a service while it is used, from its start to its first answer. */
async function withAnswering<T>(
  { service, path, authorization }: BothSides,
  launch: () => Promise<Launched>,
  use: (server: Launched) => T | Promise<T>,
): Promise<T> {
  const server = await launch()
  const headers = { ...(authorization !== undefined && { authorization }) }
  try {
    const answers = async () => {
      const response = await fetch(server.url + path, { headers })
      await response.arrayBuffer()
      return response.ok
    }
    await waitFor(`an answer of ${service}`, answers, { timeoutMs: START_MS, intervalMs: 2 })
    return await use(server)
  } finally {
    // By a signal that it handles: only then does Node write its compile cache.
    await server.child.stop(STOP_LIMIT_MS)
  }
}
