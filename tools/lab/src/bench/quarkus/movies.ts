import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LOAD_CORE } from '../cores.ts'
import { startMovies } from '../films/movies.ts'
import { type Load, startLoad } from '../load.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { warmUp } from './load-run.ts'
import { makeQuarkus } from './made-quarkus.ts'
import { startQuarkus } from './quarkus-process.ts'
import { expectSameAnswers } from './same-answers.ts'

/** Answers with that many films. */
export const PATHS = { 1: '/movie?year=1980', 6: '/movie' } as const

export type Films = keyof typeof PATHS

export interface Movies {
  readonly load: Load
  readonly ours: ServerProcess
  readonly theirs: ServerProcess
}

/** Load for which every answer must have its films whole: one that a busy machine makes the fallback give costs less. */
export async function requestFilms({ url }: ServerProcess, films: Films, connections: number) {
  const path = PATHS[films]
  return { path, connections, expected: await (await fetch(url + path)).text() }
}

/** Ours and its peer with the same remote film service, each asked for one film and for six until it is warm. */
export async function openMovies(opened: AsyncDisposableStack): Promise<Movies> {
  const made = await makeQuarkus()
  const { path: folder } = opened.use(await mkdtempDisposable(join(tmpdir(), 'bench-movies-')))
  const main = new URL('./film-remote-main.ts', import.meta.url)
  const remote = opened.use(await startServer(main, { core: LOAD_CORE }))
  const ours = opened.use(await startMovies(join(folder, 'films.sqlite'), remote.url))
  const theirs = opened.use(await startQuarkus(made, 'movie', { QUARKUS_REST_CLIENT_FILM_SERVICE_URL: remote.url }))
  const paths = Object.values(PATHS)
  await expectSameAnswers(
    ours.url,
    theirs.url,
    [...paths, '/movie?year=1900'].map((path) => ({ path })),
  )
  const load = opened.use(startLoad())
  for (const server of [ours, theirs]) {
    for (const path of paths) await warmUp(load, server, { path })
  }
  return { load, ours, theirs }
}
