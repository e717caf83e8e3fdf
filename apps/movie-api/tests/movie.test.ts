import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  answerFilm,
  type FilmAnswer,
  localFilms,
  off,
  remoteFilm,
  startFilmRemote,
  startMovieApi,
  temporaryFolder,
  withoutRemote,
  withRemote,
} from './movie-system.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => folder[Symbol.asyncDispose]())

async function start(env: Record<string, string>, answer: FilmAnswer = answerFilm) {
  await using stack = new AsyncDisposableStack()
  const remote = stack.use(await startFilmRemote(answer))
  const api = stack.use(
    await startMovieApi({ DATABASE_URL: `sqlite:${folder.path}/films.sqlite`, FILM_SERVICE_URL: remote.url, ...env }),
  )
  const ended = stack.move()
  return { remote, api, [Symbol.asyncDispose]: () => ended.disposeAsync() }
}

const sendStatus =
  (status: number): FilmAnswer =>
  (_id, _req, res) =>
    void res.writeHead(status).end('{"detail":"no"}')
const sendText =
  (text: string): FilmAnswer =>
  (_id, _req, res) =>
    void res.end(text)
const reset: FilmAnswer = (_id, req) => void req.socket.resetAndDestroy()
const hang: FilmAnswer = () => undefined

describe('GET /movie', () => {
  it('decisions 2.6, 2.7: answers all films, episodeId from the remote, exactly the contract’s names, as application/json', async () => {
    await using system = await start({})
    const response = await system.api.get('/movie')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual(withRemote)
  })

  it('answers the films of one year', async () => {
    await using system = await start({})
    expect(await (await system.api.get('/movie?year=1980')).json()).toEqual([withRemote[1]])
    expect(system.remote.asked).toEqual([2])
  })

  it('decisions 1.16: year absent is all films', async () => {
    await using system = await start({})
    expect(await (await system.api.get('/movie?other=1')).json()).toHaveLength(6)
  })

  it.each([
    'year=',
    'year',
    'year=abc',
    'year=1980.5',
    'year=2147483648',
    'year=-2147483649',
    'year=%zz',
    'year=1e3',
    'year=0x7bc',
  ])('decisions 1.17: %s is 400 problem+json', async (query) => {
    await using system = await start({})
    const response = await system.api.get(`/movie?${query}`)
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expect(await response.json()).toMatchObject({ status: 400, parameter: 'year' })
    expect(system.remote.requests).toEqual([])
  })

  it.each([
    ['+1980', 1],
    ['%2B1980', 1],
    ['01980', 1],
    ['-5', 0],
    ['0', 0],
    ['99999', 0],
    ['2147483647', 0],
    ['-2147483648', 0],
  ])('decisions 1.18: year=%s is accepted and finds %d', async (year, films) => {
    await using system = await start({})
    const response = await system.api.get(`/movie?year=${year}`)
    expect(response.status).toBe(200)
    expect(await response.json()).toHaveLength(films)
  })

  it('decisions 1.19: year twice is 400', async () => {
    await using system = await start({})
    expect((await system.api.get('/movie?year=1980&year=1980')).status).toBe(400)
  })

  it('decisions 1.20: no film matches is [] without a remote call', async () => {
    await using system = await start({})
    const response = await system.api.get('/movie?year=1981')
    expect([response.status, await response.text()]).toEqual([200, '[]'])
    expect(system.remote.requests).toEqual([])
  })

  it('decisions 1.74, lead: another method is 405 with Allow, HEAD is like GET without the body', async () => {
    await using system = await start({})
    const post = await system.api.get('/movie', { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    const head = await system.api.get('/movie', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })
})

describe('remote film service', () => {
  it('is called at {url}/films/{id} for JSON, and its redirect is followed', async () => {
    await using system = await start({})
    await system.api.get('/movie?year=1980')
    expect(system.remote.requests).toMatchObject([
      { method: 'GET', url: '/api/films/2', headers: { accept: 'application/json' } },
      { method: 'GET', url: '/api/films/2/' },
    ])
  })

  it('is reached over connections that are kept open', async () => {
    const sockets = new Set<unknown>()
    await using system = await start({}, (id, req, res) => {
      sockets.add(req.socket)
      answerFilm(id, req, res)
    })
    for (let round = 0; round < 5; round += 1) await system.api.get('/movie?year=1980')
    expect(sockets.size).toBe(1)
  })

  it('decisions 1.23: missing strings are empty, unknown fields ignored', async () => {
    await using system = await start(
      {},
      (_id, _req, res) => void res.end('{"episode_id":5,"director":null,"extra":{"a":1}}'),
    )
    expect(await (await system.api.get('/movie?year=1980')).json()).toEqual([{ ...withoutRemote[1], episodeId: 5 }])
  })

  it('decisions 1.27: films of one answer are fetched side by side', async () => {
    const waiting: (() => void)[] = []
    await using system = await start({ FILM_TIMEOUT_MS: '5000' }, (id, req, res) => {
      waiting.push(() => answerFilm(id, req, res))
      if (waiting.length === 6) for (const answer of waiting) answer()
    })
    expect(await (await system.api.get('/movie')).json()).toEqual(withRemote)
  })

  it('decisions 1.27: no more than FILM_PARALLEL_CALLS at once', async () => {
    let running = 0
    let most = 0
    await using system = await start({ FILM_PARALLEL_CALLS: '2' }, (id, req, res) => {
      running += 1
      most = Math.max(most, running)
      setTimeout(() => {
        running -= 1
        answerFilm(id, req, res)
      }, 20)
    })
    expect(await (await system.api.get('/movie')).json()).toEqual(withRemote)
    expect(most).toBe(2)
  })

  it('sees the call end when the caller leaves', async () => {
    const ended: string[] = []
    await using system = await start({ FILM_TIMEOUT_ENABLED: 'false' }, (_id, req) => {
      req.socket.once('close', () => ended.push('closed'))
    })
    const caller = new AbortController()
    const answer = system.api.get('/movie?year=1980', { signal: caller.signal })
    await waitFor('the remote call', () => system.remote.asked.length === 1)
    caller.abort()
    await expect(answer).rejects.toThrow()
    await waitFor('the remote call to end', () => ended.length === 1)
    expect(system.remote.asked).toEqual([2])
  })
})

const failures: Record<string, { answer: FilmAnswer; status: number }> = {
  'decisions 1.22: 404': { answer: sendStatus(404), status: 502 },
  '500': { answer: sendStatus(500), status: 502 },
  '429': { answer: sendStatus(429), status: 502 },
  'decisions 1.23: HTML with 200': { answer: sendText('<html></html>'), status: 502 },
  'an empty body': { answer: sendText(''), status: 502 },
  'half a JSON text': { answer: sendText('{"title":"x",'), status: 502 },
  'decisions 1.23: an array': { answer: sendText(JSON.stringify([remoteFilm(1)])), status: 502 },
  null: { answer: sendText('null'), status: 502 },
  'an error object with 200': { answer: sendText('{"detail":"Not found"}'), status: 502 },
  'decisions 1.23: a director that is a number': {
    answer: sendText(JSON.stringify(remoteFilm(1, { director: 7 }))),
    status: 502,
  },
  'an episode that is a text': { answer: sendText(JSON.stringify(remoteFilm(1, { episode_id: '4' }))), status: 502 },
  'a reset connection': { answer: reset, status: 502 },
  'half a body, then a reset': {
    answer: (_id, req, res) => {
      res.writeHead(200, { 'content-length': '1000' })
      res.write('{"title":', () => req.socket.resetAndDestroy())
    },
    status: 502,
  },
  'a body of more than 1 MiB': {
    answer: sendText(JSON.stringify(remoteFilm(1, { opening_crawl: 'x'.repeat(1024 * 1024) }))),
    status: 502,
  },
  'an endless redirect': {
    answer: (id, _req, res) => void res.writeHead(302, { location: `/api/films/${id}` }).end(),
    status: 502,
  },
  'a redirect to another protocol': {
    answer: (_id, _req, res) => void res.writeHead(302, { location: 'file:///etc/hostname' }).end(),
    status: 502,
  },
  'no answer in time': { answer: hang, status: 504 },
  'a body that does not end in time': {
    answer: (_id, _req, res) => void res.writeHead(200).write('{'),
    status: 504,
  },
}

describe.each(Object.entries(failures))('remote sends %s', (_name, { answer, status }) => {
  it('decisions 2.4, 2.6: with the fallback the remote fields are empty, episodeId is 0 and the database fields are kept', async () => {
    await using system = await start({}, answer)
    const response = await system.api.get('/movie')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual(withoutRemote)
  })

  it(`decisions 1.21: without it the answer is ${status} problem+json that shows no internals`, async () => {
    await using system = await start({ ...off, FILM_TIMEOUT_ENABLED: 'true' }, answer)
    const response = await system.api.get('/movie?year=1980')
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    const text = await response.text()
    expect(JSON.parse(text)).toMatchObject({ status, id: expect.any(String) })
    expect(text).not.toMatch(/127\.0\.0\.1|at |stack|ECONN/)
  })
})

describe('fault tolerance', () => {
  it('decisions 1.21: unreachable remote, retry only: 3 retries, then 502', async () => {
    await using system = await start({ ...off, FILM_RETRY_ENABLED: 'true' }, reset)
    expect((await system.api.get('/movie?year=1980')).status).toBe(502)
    expect(system.remote.asked).toHaveLength(4)
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
    expect(seconds).toBeGreaterThanOrEqual(55)
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
    expect(system.api.guard.circuitBreaker?.state).toBe('open')
    const calls = system.remote.asked.length
    expect(calls).toBe(4)
    expect(await (await system.api.get('/movie')).json()).toEqual(withoutRemote)
    expect(system.remote.asked).toHaveLength(calls)
  })

  it('decisions 1.29: closes the circuit with two successes after the delay', async () => {
    await using system = await start({ ...breakerOnly, FILM_CIRCUIT_BREAKER_DELAY_MS: '100' }, sendStatus(500))
    for (let call = 0; call < 4; call += 1) await system.api.get('/movie?year=1980')
    system.remote.answerWith(answerFilm)
    await waitFor('half-open', () => system.api.guard.circuitBreaker?.state === 'half-open')
    expect((await system.api.get('/movie?year=1980')).status).toBe(200)
    expect(system.api.guard.circuitBreaker?.state).toBe('half-open')
    expect((await system.api.get('/movie?year=1980')).status).toBe(200)
    expect(system.api.guard.circuitBreaker?.state).toBe('closed')
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

  it('200 concurrent requests while the remote flaps: every answer is 200 with the database fields, in the policies’ time', async () => {
    let calls = 0
    const ways: FilmAnswer[] = [answerFilm, reset, answerFilm, sendStatus(500), answerFilm, hang, sendText('{')]
    await using system = await start({}, (id, req, res) => {
      calls += 1
      ways[calls % ways.length]?.(id, req, res)
    })
    const startedAt = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const response = await system.api.get('/movie')
        return { status: response.status, movies: (await response.json()) as { title: string; releaseDate: string }[] }
      }),
    )
    // Worst case of one film: 4 attempts of 150 ms and 3 waits of 20 ms; the rest is 200 requests on a busy machine.
    expect(performance.now() - startedAt).toBeLessThan(8000)
    for (const { status, movies } of answers) {
      expect(status).toBe(200)
      expect(movies.map(({ title, releaseDate }) => ({ title, releaseDate }))).toEqual(localFilms)
    }
  })
})

describe('health', () => {
  it('lead: names database, external URL and circuit', async () => {
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
    expect(await response.json()).toMatchObject({ checks: [{ data: { state: 'open' } }] })
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
})

describe('shutdown', () => {
  it('lets a request in flight end before it closes', async () => {
    const answering = Promise.withResolvers<() => void>()
    const system = await start({ FILM_TIMEOUT_MS: '5000' }, (id, req, res) =>
      answering.resolve(() => answerFilm(id, req, res)),
    )
    const answer = system.api.get('/movie?year=1980')
    const finish = await answering.promise
    const closed = system.api[Symbol.asyncDispose]()
    finish()
    expect(await (await answer).json()).toEqual([withRemote[1]])
    await closed
    await system.remote[Symbol.asyncDispose]()
  })

  it('tries no call again, so that the answer in flight ends in time', async () => {
    const answering = Promise.withResolvers<() => void>()
    const system = await start({ FILM_RETRY_DELAY_MS: '60000', FILM_TIMEOUT_MS: '5000' }, (id, req, res) =>
      answering.resolve(() => sendStatus(500)(id, req, res)),
    )
    const answer = system.api.get('/movie?year=1980')
    const fail = await answering.promise
    const closed = system.api[Symbol.asyncDispose]()
    fail()
    expect(await (await answer).json()).toEqual([withoutRemote[1]])
    await closed
    await system.remote[Symbol.asyncDispose]()
  })
})
