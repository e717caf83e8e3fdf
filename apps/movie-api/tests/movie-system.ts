import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { circuitBreakerCheck, createHealth, databaseCheck, urlCheck } from '@taproom/health'
import { reportMetrics } from '@taproom/resilience'
import { createLogger, createMetrics, listen } from '@taproom/service'
import { readDescription } from '@taproom/testkit/openapi'
import { afterAll, beforeAll } from 'vitest'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { createFilmCalls } from '../src/film-calls.ts'
import { createFilmGuard } from '../src/film-guard.ts'
import { createFilmService } from '../src/film-service.ts'
import { openFilmStore } from '../src/film-store.ts'
import { describeMovieApi } from '../src/movie-description.ts'
import { createMovies } from '../src/movies.ts'
import { answerFilm, type FilmAnswer, startFilmRemote } from './film-remote.ts'

/** Policies as in production, but quick. */
export const quick = {
  FILM_RETRY_DELAY_MS: '20',
  FILM_TIMEOUT_MS: '150',
  FILM_CIRCUIT_BREAKER_DELAY_MS: '200',
  LOG_LEVEL: 'silent',
}

export const off = {
  FILM_RETRY_ENABLED: 'false',
  FILM_TIMEOUT_ENABLED: 'false',
  FILM_CIRCUIT_BREAKER_ENABLED: 'false',
  FILM_FALLBACK_ENABLED: 'false',
}

const description = readDescription(describeMovieApi({ ui: true }))

/** The service as main.ts composes it, on a free port. */
export async function startMovieApi(env: Readonly<Record<string, string>>) {
  await using stack = new AsyncDisposableStack()
  const config = readConfig({ ...quick, HOST: '127.0.0.1', PORT: '0', ...env })
  const log = createLogger('movie-api', config.log)
  const shutdown = new AbortController()
  const store = stack.use(openFilmStore(config.database, log, config))
  const filmService = stack.use(createFilmService(config.filmService.url))
  const guard = createFilmGuard(config.filmService.policies, log, shutdown.signal)
  const movies = createMovies({
    findFilms: (year) => store.find(year),
    fetchFilm: createFilmCalls({ filmService, guard, log }),
    parallelCalls: config.filmService.parallelCalls,
  })
  const health = createHealth({
    readiness: [databaseCheck({ '<default>': () => store.ping() }), urlCheck({ url: config.externalUrl })],
    wellness: [circuitBreakerCheck('Film service circuit breaker', guard.circuitBreaker)],
    shutdown: shutdown.signal,
    cacheMs: 0,
  })
  const metrics = createMetrics({ health })
  reportMetrics(guard, metrics)
  const app = createApp({ movies, health, healthRoutes: config.health, metrics, log })
  const server = stack.use(await listen(app, config.http))
  const ended = stack.move()
  return {
    url: server.url,
    guard,
    /** Throws for an answer that the OpenAPI description does not know. */
    get: async (path: string, init?: RequestInit) => (await description).fetch(`${server.url}${path}`, init),
    /** As SIGTERM does: the signal first, then everything opened is closed. */
    async [Symbol.asyncDispose]() {
      shutdown.abort()
      await ended.disposeAsync()
    },
  }
}

export async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'taproom-movie-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** For one test file: starts the service over a remote; all of the file's share one SQLite file. */
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
      await startMovieApi({ DATABASE_URL: `sqlite:${folder.path}/films.sqlite`, FILM_SERVICE_URL: remote.url, ...env }),
    )
    const ended = stack.move()
    return { remote, api, [Symbol.asyncDispose]: () => ended.disposeAsync() }
  }
}
