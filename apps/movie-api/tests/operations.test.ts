import { describe, expect, it } from 'vitest'
import { withoutRemote, withRemote } from './expected-films.ts'
import { answerFilm, type FilmAnswer, sendStatus } from './film-remote.ts'
import { movieSystems } from './movie-system.ts'

const start = movieSystems()

describe('health', () => {
  it('decisions 3.3: names database, external URL and circuit', async () => {
    await using system = await start({})
    const response = await system.api.get('/q/health')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      status: 'UP',
      checks: expect.arrayContaining([
        { name: "I'm alive", status: 'UP' },
        { name: 'Database connections health check', status: 'UP', data: { '<default>': 'UP' } },
        { name: 'ExternalURL health check', status: 'UP', data: { host: `GET ${system.remote.url}/films/` } },
        { name: 'Film service circuit breaker', status: 'UP', data: { state: 'closed', retryAfterMs: 0 } },
      ]),
    })
  })

  it('decisions 1.30: an open circuit is visible and not fatal', async () => {
    await using system = await start({ FILM_CIRCUIT_BREAKER_DELAY_MS: '60000' }, sendStatus(500))
    await system.api.get('/movie')
    const response = await system.api.get('/q/health/well')
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ checks: [{ data: { state: 'open' } }, {}] })
  })

  it('decisions 1.34: the external path is configurable', async () => {
    await using system = await start({ EXTERNAL_URL_PATH: '/films/1/' })
    expect(await (await system.api.get('/q/health/ready')).json()).toMatchObject({
      checks: [{}, { data: { host: `GET ${system.remote.url}/films/1/` } }],
    })
  })

  it('decisions 1.31: the external URL away is DOWN, 503; liveness stays UP', async () => {
    await using system = await start({ EXTERNAL_URL: 'http://127.0.0.1:9' })
    expect((await system.api.get('/q/health/ready')).status).toBe(503)
    expect((await system.api.get('/q/health/live')).status).toBe(200)
  })
})

describe('metrics', () => {
  it('decisions 1.30: the policies and the circuit’s state are at /q/metrics, under MicroProfile’s names', async () => {
    await using system = await start({ FILM_CIRCUIT_BREAKER_DELAY_MS: '60000' }, sendStatus(500))
    await system.api.get('/movie?year=1980')
    const response = await system.api.get('/q/metrics')
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
    expect((await response.text()).split('\n')).toEqual(
      expect.arrayContaining([
        'ft_invocations_total{method="film service",result="valueReturned",fallback="applied"} 1',
        'ft_retry_retries_total{method="film service"} 3',
        'ft_circuitbreaker_calls_total{method="film service",circuitBreakerResult="failure"} 4',
        'ft_circuitbreaker_opened_total{method="film service"} 1',
        'ft_circuitbreaker_state_current{method="film service",state="open"} 1',
        'ft_timeout_executionDuration_seconds_count{method="film service"} 4',
      ]),
    )
    expect((await system.api.get('/q/metrics', { method: 'DELETE' })).status).toBe(405)
  })

  it('has every metric of MicroProfile Fault Tolerance, from the start and with the buckets from 5 ms to 10 s', async () => {
    await using system = await start({ FILM_BULKHEAD_ENABLED: 'true', FILM_RATE_LIMIT_ENABLED: 'true' })
    const families = async () =>
      [...(await (await system.api.get('/q/metrics')).text()).matchAll(/^# TYPE (ft_\S+) (\S+)$/gm)]
        .map(([, name, type]) => `${name} ${type}`)
        .toSorted()
    const fromTheStart = [
      'ft_bulkhead_calls_total counter',
      'ft_bulkhead_executionsRunning gauge',
      'ft_bulkhead_executionsWaiting gauge',
      'ft_circuitbreaker_calls_total counter',
      'ft_circuitbreaker_opened_total counter',
      'ft_circuitbreaker_state_current gauge',
      'ft_circuitbreaker_state_total counter',
      'ft_invocations_total counter',
      'ft_ratelimit_calls_total counter',
      'ft_retry_calls_total counter',
      'ft_retry_retries_total counter',
      'ft_timeout_calls_total counter',
    ]
    expect(await families()).toEqual(fromTheStart)
    await system.api.get('/movie')
    const histograms = ['bulkhead_runningDuration', 'bulkhead_waitingDuration', 'timeout_executionDuration']
    expect(await families()).toEqual(
      [...fromTheStart, ...histograms.map((name) => `ft_${name}_seconds histogram`)].toSorted(),
    )
    const text = await (await system.api.get('/q/metrics')).text()
    for (const bound of [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]) {
      for (const name of histograms) {
        expect(text).toMatch(
          new RegExp(`^ft_${name}_seconds_bucket\\{le="${bound}",method="film service"\\} \\d+$`, 'm'),
        )
      }
    }
    expect(text).toMatch(/^ft_circuitbreaker_state_total\{method="film service",state="closed"\} [1-9]\d{6,}$/m)
  })
})

describe('shutdown', () => {
  /** Answers a request whose film service responds only after the stop signal. */
  async function answerWhileStopping(env: Record<string, string>, answer: FilmAnswer): Promise<unknown> {
    const asked = Promise.withResolvers<() => void>()
    await using system = await start({ FILM_TIMEOUT_MS: '5000', ...env }, (id, req, res) =>
      asked.resolve(() => answer(id, req, res)),
    )
    const response = system.api.get('/movie?year=1980')
    const goOn = await asked.promise
    const closed = system.api[Symbol.asyncDispose]()
    goOn()
    const films: unknown = await (await response).json()
    await closed
    return films
  }

  it('lets a request in flight end before it closes', async () => {
    expect(await answerWhileStopping({}, answerFilm)).toEqual([withRemote[1]])
  })

  it('tries no call again, so that the answer in flight ends in time', async () => {
    const films = await answerWhileStopping({ FILM_RETRY_DELAY_MS: '60000' }, sendStatus(500))
    expect(films).toEqual([withoutRemote[1]])
  })
})
