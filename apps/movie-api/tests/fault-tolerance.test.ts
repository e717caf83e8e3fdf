import { waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { localFilms, withoutRemote, withRemote } from './expected-films.ts'
import { answerFilm, type FilmAnswer, hang, reset, sendStatus, sendText } from './film-remote.ts'
import { impatient, movieSystems, off } from './movie-system.ts'

const start = movieSystems()

describe('fault tolerance', () => {
  it('decisions 1.21: unreachable remote, retry only: 3 retries, then 502', async () => {
    await using system = await start({ ...off, FILM_RETRY_ENABLED: 'true' }, reset)
    expect((await system.api.get('/movie?year=1980')).status).toBe(502)
    // Each attempt is sent twice, because its connection has carried the redirect (decisions 3.169).
    expect(system.remote.asked).toHaveLength(4 * 2)
  })

  it('unknown host: 502', async () => {
    await using system = await start({ ...off, FILM_SERVICE_URL: 'http://unknown.invalid/api' })
    expect((await system.api.get('/movie?year=1980')).status).toBe(502)
  })

  it('decisions 2.5: all policies combined, a retry that succeeds answers the real values', async () => {
    let calls = 0
    await using system = await start({}, (id, req, res) => {
      calls += 1
      if (calls < 3) sendStatus(500)(id, req, res)
      else answerFilm(id, req, res)
    })
    expect(await (await system.api.get('/movie?year=1980')).json()).toEqual([withRemote[1]])
  })

  it('decisions 1.24: each policy can be switched off: with all off one failure is one call', async () => {
    await using system = await start(off, sendStatus(500))
    for (let call = 1; call <= 6; call += 1) {
      expect((await system.api.get('/movie?year=1980')).status).toBe(502)
      expect(system.remote.asked).toHaveLength(call)
    }
  })

  const breakerOnly = { ...off, FILM_CIRCUIT_BREAKER_ENABLED: 'true', FILM_CIRCUIT_BREAKER_DELAY_MS: '60000' }

  it('decisions 1.21: open circuit is 503 with the remaining seconds in Retry-After, without contacting the remote', async () => {
    await using system = await start(breakerOnly, sendStatus(500))
    for (let call = 0; call < 4; call += 1) await system.api.get('/movie?year=1980')
    const response = await system.api.get('/movie?year=1980')
    expect(response.status).toBe(503)
    const seconds = Number(response.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(system.remote.asked).toHaveLength(4)
  })

  it('decisions 1.30: one circuit for the remote host, whatever film is asked for', async () => {
    await using system = await start(breakerOnly, sendStatus(500))
    for (const year of [1977, 1980, 1983, 1999]) await system.api.get(`/movie?year=${year}`)
    expect((await system.api.get('/movie?year=2005')).status).toBe(503)
    expect(system.remote.asked).toEqual([1, 2, 3, 4])
  })

  it('decisions 1.25, 2.4: with all policies on an open circuit answers the fallback at once', async () => {
    await using system = await start(
      { FILM_CIRCUIT_BREAKER_DELAY_MS: '60000', FILM_RETRY_DELAY_MS: '50' },
      sendStatus(500),
    )
    await system.api.get('/movie?year=1980')
    expect(await system.api.circuit()).toBe('open')
    const calls = system.remote.asked.length
    expect(calls).toBe(4)
    expect(await (await system.api.get('/movie')).json()).toEqual(withoutRemote)
    expect(system.remote.asked).toHaveLength(calls)
  })

  it('decisions 1.29: closes the circuit with two successes after the delay', async () => {
    await using system = await start({ ...breakerOnly, FILM_CIRCUIT_BREAKER_DELAY_MS: '100' }, sendStatus(500))
    for (let call = 0; call < 4; call += 1) await system.api.get('/movie?year=1980')
    system.remote.answerWith(answerFilm)
    await waitFor('half-open', async () => (await system.api.circuit()) === 'halfOpen')
    expect((await system.api.get('/movie?year=1980')).status).toBe(200)
    expect(await system.api.circuit()).toBe('halfOpen')
    expect((await system.api.get('/movie?year=1980')).status).toBe(200)
    expect(await system.api.circuit()).toBe('closed')
    expect(system.remote.asked).toHaveLength(6)
  })

  it('the remote goes and comes back: fallback values, then real ones', async () => {
    await using system = await start({}, reset)
    expect(await (await system.api.get('/movie')).json()).toEqual(withoutRemote)
    system.remote.answerWith(answerFilm)
    await waitFor('real values', async () => {
      const movies = await (await system.api.get('/movie')).text()
      return movies === JSON.stringify(withRemote)
    })
  })

  it('a full bulkhead and a used up rate limit are 503 with Retry-After, or the fallback', async () => {
    const bulkhead = { FILM_BULKHEAD_ENABLED: 'true', FILM_BULKHEAD_VALUE: '1', FILM_BULKHEAD_WAITING_TASK_QUEUE: '0' }
    const rateLimit = {
      FILM_RATE_LIMIT_ENABLED: 'true',
      FILM_RATE_LIMIT_VALUE: '1',
      FILM_RATE_LIMIT_WINDOW_MS: '60000',
    }
    for (const limit of [bulkhead, rateLimit]) {
      await using system = await start({ ...off, ...limit })
      const response = await system.api.get('/movie')
      expect([response.status, response.headers.get('retry-after')]).toEqual([
        503,
        limit === bulkhead ? '1' : expect.stringMatching(/^(60|[1-5]\d)$/),
      ])
      await using backed = await start({ ...off, ...limit, FILM_FALLBACK_ENABLED: 'true' })
      expect(await (await backed.api.get('/movie')).json()).toEqual([withRemote[0], ...withoutRemote.slice(1)])
    }
  })

  it('MP_Fault_Tolerance_NonFallback_Enabled=false leaves only the fallback', async () => {
    await using system = await start({ MP_Fault_Tolerance_NonFallback_Enabled: 'false' }, sendStatus(500))
    for (let call = 1; call <= 6; call += 1) {
      expect(await (await system.api.get('/movie?year=1980')).json()).toEqual([withoutRemote[1]])
      expect(system.remote.asked).toHaveLength(call)
    }
  })

  it('200 concurrent requests while the remote flaps: every answer is 200 with the database fields, after no more calls than the policies allow', async () => {
    let calls = 0
    const ways: FilmAnswer[] = [answerFilm, reset, answerFilm, sendStatus(500), answerFilm, hang, sendText('{')]
    await using system = await start(impatient, (id, req, res) => {
      calls += 1
      ways[calls % ways.length]?.(id, req, res)
    })
    const answers = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const response = await system.api.get('/movie')
        return { status: response.status, movies: (await response.json()) as { title: string; releaseDate: string }[] }
      }),
    )
    const films = answers.reduce((sum, { movies }) => sum + movies.length, 0)
    expect(calls).toBeLessThanOrEqual(films * 4)
    for (const { status, movies } of answers) {
      expect(status).toBe(200)
      expect(movies.map(({ title, releaseDate }) => ({ title, releaseDate }))).toEqual(localFilms)
    }
  })
})
