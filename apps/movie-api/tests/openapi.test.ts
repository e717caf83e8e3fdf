import { createHealth } from '@taproom/health'
import type { OpenApiDocument } from '@taproom/openapi'
import { createLogger, createMetrics, HttpProblem, listen } from '@taproom/service'
import { type DescribedApi, readDescription } from '@taproom/testkit/openapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import type { Movies } from '../src/movies.ts'
import { type FilmAnswer, hang, sendStatus } from './film-remote.ts'
import { impatient, movieSystems, off } from './movie-system.ts'

const start = movieSystems()

let system: Awaited<ReturnType<typeof start>>
let api: DescribedApi
beforeAll(async () => {
  system = await start({})
  const served = await fetch(`${system.api.url}/q/openapi?format=json`)
  api = await readDescription((await served.json()) as object)
})
afterAll(() => system[Symbol.asyncDispose]())

async function ask(env: Record<string, string>, answer: FilmAnswer, times = 1) {
  await using other = await start(env, answer)
  let status = 0
  for (let time = 0; time < times; time += 1) status = (await api.fetch(`${other.api.url}/movie?year=1980`)).status
  return status
}

describe('/q/openapi', () => {
  it('is valid OpenAPI 3.1, as YAML by default and as JSON on request', async () => {
    const yaml = await fetch(`${system.api.url}/q/openapi`)
    expect(yaml.headers.get('content-type')).toBe('application/yaml;charset=UTF-8')
    expect(await yaml.text()).toContain('\n  /movie:\n')
    const json = await fetch(`${system.api.url}/q/openapi`, { headers: { accept: 'application/json' } })
    expect(await json.json()).toMatchObject({ openapi: '3.1.1', info: { title: 'movie-api', version: '1.0.0' } })
  })

  it('describes every answer there is, and no other', async () => {
    const { url } = system.api
    for (const path of ['/movie', '/movie?year=1980', '/movie?year=1', '/movie?year=abc', '/other']) {
      await api.fetch(url + path)
    }
    for (const method of ['HEAD', 'POST', 'DELETE', 'OPTIONS']) await api.fetch(`${url}/movie`, { method })
    const statuses = [
      await ask({ ...off }, sendStatus(500)),
      await ask({ ...off, FILM_TIMEOUT_ENABLED: 'true', ...impatient }, hang),
      await ask(
        { ...off, FILM_CIRCUIT_BREAKER_ENABLED: 'true', FILM_CIRCUIT_BREAKER_DELAY_MS: '600000' },
        sendStatus(500),
        5,
      ),
      await ask({}, sendStatus(500)),
      await ask({ DATABASE_URL: 'postgres://127.0.0.1:9/films' }, sendStatus(500)),
      await statusOf(new Error('a mistake here')),
    ]
    expect(statuses).toEqual([502, 504, 503, 200, 503, 500])
    expect(api.unseen().filter((answer) => answer.includes(' /movie '))).toEqual([])
  })

  it('describes health, metrics and itself', async () => {
    const { url } = system.api
    const paths = ['', '/live', '/ready', '/started', '/well', '/group/none'].map((path) => `/q/health${path}`)
    for (const path of [...paths, '/q/metrics', '/q/openapi', '/q/openapi?format=json']) await api.fetch(url + path)
    await api.fetch(`${url}/q/openapi`, { method: 'POST' })
    await using down = await start({ EXTERNAL_URL: 'http://127.0.0.1:9' })
    expect((await api.fetch(`${down.api.url}/q/health/ready`)).status).toBe(503)
  })

  it('would notice an answer that is not described', async () => {
    await expect(statusOf(new HttpProblem(418))).rejects.toThrow('not described')
  })
})

/** The status of `/movie` when finding films fails with this error. */
async function statusOf(error: unknown): Promise<number> {
  const movies: Movies = { find: () => Promise.reject(error) }
  const metrics = createMetrics()
  const log = createLogger('movie-api', { level: 'silent' })
  const app = createApp({
    movies,
    health: createHealth(),
    healthRoutes: { rootPath: '/q/health', ui: false },
    metrics,
    log,
  })
  await using server = await listen(app, { host: '127.0.0.1', port: 0 })
  return (await api.fetch(`${server.url}/movie`)).status
}

describe('the parameter year', () => {
  it('decisions 1.17: is accepted up to the bounds that the description gives, and not beyond', async () => {
    const served = await fetch(`${system.api.url}/q/openapi.json`)
    const { paths } = (await served.json()) as OpenApiDocument
    const { minimum, maximum } = paths['/movie']?.get?.parameters?.[0]?.schema ?? {}
    const status = async (year: number) => (await system.api.get(`/movie?year=${year}`)).status
    const [min, max] = [Number(minimum), Number(maximum)]
    expect([await status(min), await status(max), await status(min - 1), await status(max + 1)]).toEqual([
      200, 200, 400, 400,
    ])
  })
})
