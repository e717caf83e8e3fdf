import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '@taproom/testkit'
import { APPS } from '../../harness/apps.ts'
import { type Launched, openBundled } from '../bundled.ts'
import { CLAIM_PATH, openClaims } from '../claim/claims.ts'
import { LOAD_CORE } from '../cores.ts'
import { startServer } from '../server-process.ts'
import { makeQuarkus } from './made-quarkus.ts'
import { launchQuarkus } from './quarkus-process.ts'

const START_MS = 60_000
const STOP_LIMIT_MS = 10_000

/** The same service of both sides, and what it is asked first. */
export interface BothSides {
  readonly service: string
  readonly path: string
  readonly authorization?: string
  ours(): Promise<Launched>
  theirs(): Promise<Launched>
}

/** Both services and their peers, on any core. */
export async function openBothSides(opened: AsyncDisposableStack): Promise<readonly [BothSides, BothSides]> {
  const made = await makeQuarkus()
  const bundled = await openBundled(opened)
  const claims = await openClaims()
  const { path: folder } = opened.use(await mkdtempDisposable(join(tmpdir(), 'bench-both-')))
  const main = new URL('./film-remote-main.ts', import.meta.url)
  const remote = opened.use(await startServer(main, { core: LOAD_CORE }))
  const database = `sqlite:${join(folder, 'films.sqlite')}`
  return [
    {
      service: 'claim',
      path: CLAIM_PATH,
      authorization: await claims.token({ user: 'duke' }),
      ours: () => bundled(APPS.claims, claims.env),
      theirs: () => launchQuarkus(made, 'claim', { env: claims.env, isPinned: false }),
    },
    {
      service: 'movie',
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
export async function withAnswering<T>(
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
