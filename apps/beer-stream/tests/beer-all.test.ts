import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { startHttpServer, waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { startApp } from './start-app.ts'

interface Page {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body: string | Buffer
}

const beersOf = (...abvs: number[]): Page => ({
  body: JSON.stringify(abvs.map((abv, i) => ({ id: i, name: `Beer ${abv}`, tagline: 'T.', abv, ph: null }))),
})
const strong = (abv: number) => ({ name: `Beer ${abv}`, tagline: 'T.', abv })

/** The app over a beer service of these pages; past them it answers `[]`. */
async function start(pages: readonly (Page | 'hang' | 'reset')[], options: { timeoutMs?: number } = {}) {
  const resources = new AsyncDisposableStack()
  const beerService = resources.use(
    await startHttpServer((req, res) => {
      const number = Number(new URL(req.url ?? '', 'http://a').searchParams.get('page'))
      const page = pages[number - 1] ?? { body: '[]' }
      if (page === 'hang') return
      if (page === 'reset') {
        res.destroy()
        return
      }
      res.writeHead(page.status ?? 200, page.headers).end(page.body)
    }),
  )
  const app = resources.use(await startApp({ beerServiceUrl: beerService.url, ...options }))
  return {
    url: `${app.url}/beer/all`,
    port: app.port,
    beerService,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

describe('GET /beer/all', () => {
  it('contract 4.5, decisions 2.12: answers the beers above 15.0 of all pages as one JSON array', async () => {
    await using app = await start([beersOf(15, 15.1, 4), beersOf(5), beersOf(55, 32)])
    const response = await fetch(app.url)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toEqual([strong(15.1), strong(55), strong(32)])
    expect(app.beerService.requests.map((request) => request.url)).toEqual([
      '/beers?page=1',
      '/beers?page=2',
      '/beers?page=3',
      '/beers?page=4',
    ])
  })

  it('decisions 3.10: answers [] when no beer is strong enough', async () => {
    await using app = await start([beersOf(15, 4)])
    expect(await (await fetch(app.url)).text()).toBe('[]')
  })

  it('decisions 3.10: answers NDJSON on request', async () => {
    await using app = await start([beersOf(16, 4), beersOf(17)])
    const response = await fetch(app.url, { headers: { accept: 'application/x-ndjson' } })
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(response.headers.get('vary')).toBe('accept')
    expect(await response.text()).toBe(`${JSON.stringify(strong(16))}\n${JSON.stringify(strong(17))}\n`)
  })

  it('decisions 3.10: sends a page’s beers while the next page is still awaited', async () => {
    await using app = await start([beersOf(16), 'hang'])
    const reader = (await fetch(app.url)).body?.getReader()
    const { value } = (await reader?.read()) ?? {}
    expect(Buffer.from(value ?? []).toString()).toBe(`[${JSON.stringify(strong(16))}`)
    await reader?.cancel()
  })

  const failures: Record<string, { page: Page | 'hang' | 'reset'; status: number }> = {
    'a remote 500': { page: { status: 500, body: 'oops' }, status: 502 },
    'a remote 404': { page: { status: 404, body: '{}' }, status: 502 },
    'a page that is not JSON': { page: { body: '<html>' }, status: 502 },
    'a page that is no list': { page: { body: '{"beers":[]}' }, status: 502 },
    'a page of arrays inside each other': { page: { body: '['.repeat(1_000_000) }, status: 502 },
    'a page that is a mebibyte of beers': { page: { body: `[${'{},'.repeat(350_000)}{}]` }, status: 502 },
    'a compressed page that never ends': {
      page: { body: gzipSync(Buffer.alloc(9 * 1024 * 1024, '[')), headers: { 'content-encoding': 'gzip' } },
      status: 502,
    },
    'a redirect to a file': {
      page: { status: 302, body: '', headers: { location: 'file:///etc/hostname' } },
      status: 502,
    },
    'an endless redirect': { page: { status: 302, body: '', headers: { location: '?page=2' } }, status: 502 },
    'a connection that breaks': { page: 'reset', status: 502 },
    'a page that does not come in time': { page: 'hang', status: 504 },
    'a remote 429': { page: { status: 429, body: '', headers: { 'retry-after': '7' } }, status: 503 },
    'a remote 503': { page: { status: 503, body: '' }, status: 503 },
  }

  /** Short only where no answer will come: any other may take a while on a busy machine. */
  const patience = ({ page }: { page: Page | 'hang' | 'reset' }) => (page === 'hang' ? { timeoutMs: 2000 } : {})

  it.each(Object.entries(failures))(
    'decisions 1.46, 3.9: %s before the first byte is a problem',
    async (_name, failure) => {
      await using app = await start([beersOf(4), failure.page], patience(failure))
      const response = await fetch(app.url)
      expect(response.status).toBe(failure.status)
      expect(response.headers.get('content-type')).toMatch('application/problem+json')
      const problem = await response.text()
      expect(JSON.parse(problem)).toMatchObject({ status: failure.status, id: expect.any(String) })
      expect(problem).not.toContain('127.0.0.1')
    },
  )

  it('decisions 3.9: a remote Retry-After is passed on with the 503', async () => {
    await using app = await start([{ status: 429, body: '', headers: { 'retry-after': '7' } }])
    expect((await fetch(app.url)).headers.get('retry-after')).toBe('7')
  })

  it.each(Object.entries(failures))('decisions 1.46: %s later breaks the connection', async (_name, failure) => {
    await using app = await start([beersOf(16), failure.page], patience(failure))
    const response = await fetch(app.url)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
  })

  it('decisions 1.46: a broken list never looks complete to a client of HTTP/1.0', async () => {
    await using app = await start([beersOf(16), { status: 500, body: '' }])
    const socket = connect(app.port, '127.0.0.1')
    socket.write('GET /beer/all HTTP/1.0\r\nAccept: application/x-ndjson\r\n\r\n')
    await expect(socket.resume().toArray()).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('decisions 1.47: stops the remote call when the client leaves', async () => {
    const closed = Promise.withResolvers<void>()
    await using beerService = await startHttpServer((_req, res) => {
      res.on('close', closed.resolve)
    })
    await using app = await startApp({ beerServiceUrl: beerService.url, timeoutMs: 60_000 })
    const leave = new AbortController()
    const answer = fetch(`${app.url}/beer/all`, { signal: leave.signal })
    await waitFor('the remote call', () => beerService.requests.length >= 1)
    leave.abort()
    await expect(answer).rejects.toThrow()
    await closed.promise
  })

  it('decisions 3.10: fetches no further page while the client does not read', async () => {
    const beer = { name: 'x', tagline: 'x'.repeat(1000), abv: 16 }
    const big = { body: JSON.stringify(Array(500).fill(beer)) }
    await using app = await start(Array(200).fill(big))
    const socket = connect(app.port, '127.0.0.1').pause()
    socket.on('error', () => {})
    socket.write('GET /beer/all HTTP/1.1\r\nHost: a\r\n\r\n')
    let seen = -1
    await waitFor(
      'the remote calls to rest',
      () => {
        const rests = app.beerService.requests.length === seen && seen > 0
        seen = app.beerService.requests.length
        return rests
      },
      { intervalMs: 200 },
    )
    expect(seen).toBeLessThan(100)
    socket.destroy()
  })

  it('answers HEAD without a call of the beer service', async () => {
    await using app = await start([])
    const response = await fetch(app.url, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(app.beerService.requests).toEqual([])
  })

  it('decisions 1.74: refuses POST with 405 and Allow', async () => {
    await using app = await start([])
    const response = await fetch(app.url, { method: 'POST' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD')
  })

  it('answers exactly the strong beers of a whole catalogue, page by page', async () => {
    const beers = await readCatalogue()
    const pages = Array.from({ length: Math.ceil(beers.length / 25) }, (_, i) => ({
      body: JSON.stringify(beers.slice(i * 25, i * 25 + 25)),
    }))
    await using app = await start(pages)
    const strongOnes = beers.filter((beer) => beer.abv > 15).map(({ name, tagline, abv }) => ({ name, tagline, abv }))
    expect(await (await fetch(app.url)).json()).toEqual(strongOnes)
    expect(app.beerService.requests).toHaveLength(pages.length + 1)
  })
})

/** The beers of the file that BEER_STANDIN_DATA names, else 100 made-up ones. */
async function readCatalogue(): Promise<{ name: string; tagline: string; abv: number }[]> {
  const file = process.env['BEER_STANDIN_DATA']
  if (file !== undefined) return JSON.parse(await readFile(file, 'utf8'))
  return Array.from({ length: 100 }, (_, i) => ({
    id: i,
    name: `Bière & ’${i}’`,
    tagline: `"${i}"`,
    abv: i / 5,
    srm: null,
  }))
}
