import { gzipSync } from 'node:zlib'
import { waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { withoutRemote, withRemote } from './expected-films.ts'
import { answerFilm, type FilmAnswer, hang, remoteFilm, reset, sendStatus, sendText } from './film-remote.ts'
import { impatient, movieSystems, off } from './movie-system.ts'

const start = movieSystems()

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

  it('decisions 1.23: a byte order mark is ignored', async () => {
    await using system = await start({}, (_id, _req, res) => void res.end('\ufeff{"episode_id":5}'))
    expect(await (await system.api.get('/movie?year=1980')).json()).toEqual([{ ...withoutRemote[1], episodeId: 5 }])
  })

  it('may have a prototype or half a character in a text, which reach the answer as they are', async () => {
    await using system = await start(
      {},
      (_id, _req, res) => void res.end('{"episode_id":5,"__proto__":{"director":"Mallory"},"producer":"\\ud800"}'),
    )
    expect(await (await system.api.get('/movie?year=1980')).json()).toEqual([
      { ...withoutRemote[1], episodeId: 5, producer: '\ud800' },
    ])
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
    await waitFor('the remote call', () => system.remote.asked.length >= 1)
    caller.abort()
    await expect(answer).rejects.toThrow()
    await waitFor('the remote call to end', () => ended.length >= 1)
    expect(system.remote.asked).toEqual([2])
  })
})

const compressed = gzipSync(Buffer.alloc(8 * 1024 * 1024))

const failures: Record<string, { answer: FilmAnswer; status: number }> = {
  'decisions 1.22: 404': { answer: sendStatus(404), status: 502 },
  '500': { answer: sendStatus(500), status: 502 },
  '429': { answer: sendStatus(429), status: 502 },
  'decisions 1.23: HTML with 200': { answer: sendText('<html></html>'), status: 502 },
  'an empty body': { answer: sendText(''), status: 502 },
  'half a JSON text': { answer: sendText('{"title":"x",'), status: 502 },
  'decisions 1.23: an array': { answer: sendText(JSON.stringify([remoteFilm(1)])), status: 502 },
  null: { answer: sendText('null'), status: 502 },
  'bytes that are not UTF-8': {
    answer: (_id, _req, res) => void res.end(Buffer.from('{"episode_id":5,"title":"\xff"}', 'latin1')),
    status: 502,
  },
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
  'arrays inside each other': { answer: sendText('['.repeat(500_000)), status: 502 },
  'a film with fields inside each other': {
    answer: sendText(`{"episode_id":4,"x":${'{"x":'.repeat(6000)}1${'}'.repeat(6001)}`),
    status: 502,
  },
  'more values than are built': { answer: sendText(`{"episode_id":4,"x":[${'0,'.repeat(100_000)}0]}`), status: 502 },
  'an episode beyond every double': { answer: sendText('{"episode_id":1e400}'), status: 502 },
  'a redirect with credentials': {
    answer: (id, _req, res) =>
      void res.writeHead(302, { location: `http://user:pass@127.0.0.1/api/films/${id}` }).end(),
    status: 502,
  },
  'a redirect to no URL': {
    answer: (_id, _req, res) => void res.writeHead(302, { location: 'http://[' }).end(),
    status: 502,
  },
  'a body that is compressed though nobody asked for it': {
    answer: (_id, _req, res) => void res.end(compressed),
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
    await using system = await start(status === 504 ? impatient : {}, answer)
    const response = await system.api.get('/movie')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual(withoutRemote)
  })

  it(`decisions 1.21: without it the answer is ${status} problem+json that shows no internals`, async () => {
    await using system = await start({ ...off, FILM_TIMEOUT_ENABLED: 'true', ...(status === 504 && impatient) }, answer)
    const response = await system.api.get('/movie?year=1980')
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    const text = await response.text()
    expect(JSON.parse(text)).toMatchObject({ status, id: expect.any(String) })
    expect(text).not.toMatch(/127\.0\.0\.1|at |stack|ECONN/)
  })
})
