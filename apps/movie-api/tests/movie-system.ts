import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { circuitBreakerCheck, createHealth, databaseCheck, urlCheck } from '@taproom/health'
import { reportMetrics } from '@taproom/resilience'
import { createLogger, createMetrics, listen } from '@taproom/service'
import { startHttpServer } from '@taproom/testkit'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { createFilmGuard } from '../src/film-guard.ts'
import { createFilmService } from '../src/film-service.ts'
import { openFilmStore } from '../src/film-store.ts'
import { createMovies } from '../src/movies.ts'

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

/** The service as main.ts composes it, on a free port. */
export async function startMovieApi(env: Readonly<Record<string, string>>) {
  await using stack = new AsyncDisposableStack()
  const config = readConfig({ ...quick, HOST: '127.0.0.1', PORT: '0', ...env })
  const log = createLogger('movie-api', config.log)
  const shutdown = new AbortController()
  const store = stack.use(openFilmStore(config.database, log, config))
  const filmService = stack.use(createFilmService(config.filmService.url))
  const guard = createFilmGuard(config.filmService, log, shutdown.signal)
  const movies = createMovies({
    findFilms: (year) => store.find(year),
    fetchFilm: (id, signal) => guard.execute((context) => filmService.fetchFilm(id, context.signal), signal),
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
  const app = createApp({ movies, health, healthPaths: config.health, metrics, log })
  const server = stack.use(await listen(app, config.http))
  const ended = stack.move()
  return {
    url: server.url,
    guard,
    get: (path: string, init?: RequestInit) => fetch(`${server.url}${path}`, init),
    /** As SIGTERM does: the signal first, then everything opened is closed. */
    async [Symbol.asyncDispose]() {
      shutdown.abort()
      await ended.disposeAsync()
    },
  }
}

/** An invented film as the remote service sends it; episode 10 + id. */
export function remoteFilm(id: number, overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    title: `Remote title ${id}`,
    episode_id: 10 + id,
    opening_crawl: `First line ${id}\r\nsecond line`,
    director: `Director ${id}`,
    producer: `Producer ${id}`,
    release_date: '1900-01-01',
    characters: [],
    ...overrides,
  }
}

export type FilmAnswer = (id: number, req: IncomingMessage, res: ServerResponse) => void

export const answerFilm: FilmAnswer = (id, _req, res) => {
  res.setHeader('content-type', 'application/json')
  res.end(JSON.stringify(remoteFilm(id)))
}

/** A remote film service that redirects to the address with a slash, then answers as the test says. */
export async function startFilmRemote(answer: FilmAnswer = answerFilm) {
  let current = answer
  const asked: number[] = []
  const server = await startHttpServer((req, res) => {
    const [, id, slash] = /^\/api\/films\/(\d+)(\/?)$/.exec(req.url ?? '') ?? []
    if (req.url === '/api/films/') return void res.end('[]')
    if (id === undefined) return void res.writeHead(404).end()
    if (slash === '') return void res.writeHead(301, { location: `/api/films/${id}/` }).end()
    asked.push(Number(id))
    current(Number(id), req, res)
  })
  return {
    url: `${server.url}/api`,
    /** Ids in the order in which calls for them arrived, redirects not counted. */
    asked,
    requests: server.requests,
    answerWith: (next: FilmAnswer) => {
      current = next
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

export async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'taproom-movie-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

export const localFilms = [
  { title: 'A New Hope', releaseDate: '1977-05-25' },
  { title: 'The Empire Strikes Back', releaseDate: '1980-05-17' },
  { title: 'Return of the Jedi', releaseDate: '1983-05-25' },
  { title: 'The Phantom Menace', releaseDate: '1999-05-19' },
  { title: 'Attack of the Clones', releaseDate: '2002-05-16' },
  { title: 'Revenge of the Sith', releaseDate: '2005-05-19' },
]

export const withRemote = localFilms.map((film, index) => ({
  ...film,
  episodeId: 11 + index,
  producer: `Producer ${index + 1}`,
  director: `Director ${index + 1}`,
  opening_crawl: `First line ${index + 1}\r\nsecond line`,
}))

export const withoutRemote = localFilms.map((film) => ({
  ...film,
  episodeId: 0,
  producer: '',
  director: '',
  opening_crawl: '',
}))
