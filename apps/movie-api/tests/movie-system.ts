import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@taproom/service'
import { readMetric } from '@taproom/testkit'
import { readDescription } from '@taproom/testkit/openapi'
import { afterAll, beforeAll } from 'vitest'
import { readConfig } from '../src/config.ts'
import { startMovieApi } from '../src/movie-api.ts'
import { describeMovieApi } from '../src/movie-description.ts'
import { answerFilm, type FilmAnswer, startFilmRemote } from './film-remote.ts'

/** Policies as in production, but quick. Timeouts stay long: a busy machine needs time to answer. */
export const quick = {
  FILM_RETRY_DELAY_MS: '20',
  FILM_TIMEOUT_MS: '20000',
  FILM_CIRCUIT_BREAKER_DELAY_MS: '200',
  LOG_LEVEL: 'silent',
}

/** For a remote that hangs. */
export const impatient = { FILM_TIMEOUT_MS: '150' }

export const off = {
  FILM_RETRY_ENABLED: 'false',
  FILM_TIMEOUT_ENABLED: 'false',
  FILM_CIRCUIT_BREAKER_ENABLED: 'false',
  FILM_FALLBACK_ENABLED: 'false',
}

const description = readDescription(describeMovieApi({ ui: true }))

/** As its process does, on a free port. */
export async function startMovie(env: Readonly<Record<string, string>>) {
  const config = readConfig({ ...quick, HOST: '127.0.0.1', PORT: '0', ...env })
  const shutdown = new AbortController()
  const log = createLogger('movie-api', config.log)
  const service = await startMovieApi({ config, log, shutdown: shutdown.signal })
  return {
    url: service.url,
    /** Throws when the OpenAPI description does not cover the answer. */
    get: async (path: string, init?: RequestInit) => (await description).fetch(`${service.url}${path}`, init),
    /** The circuit breaker's state, from its metric. */
    circuit: async () => {
      for (const state of ['closed', 'open', 'halfOpen'])
        if (await readMetric(service.url, `ft_circuitbreaker_state_current{method="film service",state="${state}"}`))
          return state
      return undefined
    },
    /** Like SIGTERM: signals first, then closes everything. */
    async [Symbol.asyncDispose]() {
      shutdown.abort()
      await service[Symbol.asyncDispose]()
    },
  }
}

export async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'taproom-movie-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** For one test file, whose systems share one SQLite file. */
export function movieSystems() {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeAll(async () => {
    folder = await temporaryFolder()
  })
  afterAll(() => folder[Symbol.asyncDispose]())

  return async (env: Record<string, string>, answer: FilmAnswer = answerFilm) => {
    await using stack = new AsyncDisposableStack()
    const remote = stack.use(await startFilmRemote(answer))
    const api = stack.use(
      await startMovie({ DATABASE_URL: `sqlite:${folder.path}/films.sqlite`, FILM_SERVICE_URL: remote.url, ...env }),
    )
    const ended = stack.move()
    return { remote, api, [Symbol.asyncDispose]: () => ended.disposeAsync() }
  }
}
