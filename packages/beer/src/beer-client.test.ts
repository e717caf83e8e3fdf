import { once } from 'node:events'
import { createServer, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  BeerServiceAnswerError,
  BeerServiceOverloadedError,
  BeerServiceTimeoutError,
  createBeerClient,
} from './index.ts'

interface Answer {
  readonly status?: number
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Buffer
}

/** A service that gives one answer after another, the last one again and again; `requested` are the paths it was asked for. */
async function serve(...answers: readonly [Answer, ...Answer[]]) {
  const requested: (string | undefined)[] = []
  const server = createServer((request, response) => {
    const { status = 200, headers = {}, body = '' } = answers[requested.length] ?? answers.at(-1) ?? {}
    requested.push(request.url)
    response.writeHead(status, headers).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requested,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const json = (value: unknown): Answer => ({ body: JSON.stringify(value) })
const redirect = (location: string): Answer => ({ status: 302, headers: { location } })

/** The result of a client for an answer. */
async function pageOf(answer: Answer) {
  await using server = await serve(answer)
  return await createBeerClient({ url: server.url }).page(1)
}

describe('createBeerClient', () => {
  it.each([
    ['', '/beers?page=3'],
    ['/v2', '/v2/beers?page=3'],
    ['/v2/', '/v2/beers?page=3'],
    ['/v2?per_page=80', '/v2/beers?per_page=80&page=3'],
  ])('asks the base address with %j for %s', async (path, expected) => {
    await using server = await serve(json([]))
    await expect(createBeerClient({ url: server.url + path }).page(3)).resolves.toEqual([])
    expect(server.requested).toEqual([expected])
  })

  it('takes 325 beers of 100 fields each in one page', async () => {
    const fields = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`field${i}`, i]))
    const beers = Array.from({ length: 325 }, (_, i) => ({ name: `Beer ${i}`, abv: 5, ...fields }))
    await expect(pageOf(json(beers))).resolves.toHaveLength(325)
  })

  it('reduces each element of the list to a beer', async () => {
    const answer = json([{ id: 1, name: 'Pale', tagline: 'Crisp.', abv: 4.5, ph: null }])
    await expect(pageOf(answer)).resolves.toEqual([{ name: 'Pale', tagline: 'Crisp.', abv: 4.5 }])
  })

  it('decisions 1.23: ignores a byte order mark', async () => {
    await expect(pageOf({ body: '\ufeff[{"name":"Pale"}]' })).resolves.toMatchObject([{ name: 'Pale' }])
  })

  it.each<[string, Answer]>([
    ['a 404', { status: 404, body: '{}' }],
    ['a 500', { status: 500, body: 'oops' }],
    ['a 204', { status: 204 }],
    ['HTML', { body: '<html>' }],
    ['an object', json({ beers: [] })],
    ['bytes that are not UTF-8', { body: Buffer.from([0x5b, 0xff, 0x5d]) }],
    ['arrays inside each other', { body: '['.repeat(200_000) }],
    ['more values than are built', { body: `[${'{},'.repeat(50_000)}{}]` }],
    ['a name that is too long', json([{ name: 'x'.repeat(65_537) }])],
    ['a tagline that is too long', json([{ name: 'x', tagline: 'x'.repeat(65_537) }])],
    ['a redirect to another protocol', redirect('file:///etc/hostname')],
    ['a redirect with credentials', redirect('http://user:pass@beers.test/')],
    ['a redirect to no URL', redirect('http://[')],
    ['an endless redirect', redirect('/v2/beers?page=1')],
    ['an element that is not a beer', json([{ name: 'Pale' }, { tagline: 'nameless' }])],
    ['a body that is compressed though nothing asked for it', { body: gzipSync('[]') }],
  ])('refuses %s with BEER_SERVICE_BAD_ANSWER', async (_case, answer) => {
    const failure = pageOf(answer)
    await expect(failure).rejects.toThrow(BeerServiceAnswerError)
    await expect(failure).rejects.toMatchObject({ code: 'BEER_SERVICE_BAD_ANSWER' })
  })

  it('stops reading an answer longer than the limit', async () => {
    await using server = await serve({ body: '['.repeat(101) })
    const client = createBeerClient({ url: server.url, bodyLimitBytes: 100 })
    await expect(client.page(1)).rejects.toThrow('the answer is larger than 100 bytes')
  })

  it.each([
    [429, '7', 7],
    [503, undefined, undefined],
    [503, 'Wed, 21 Oct 2026 07:28:00 GMT', undefined],
  ])('reports %d with Retry-After %s as BEER_SERVICE_OVERLOADED', async (status, retryAfter, retryAfterSeconds) => {
    const failure = pageOf({ status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } })
    await expect(failure).rejects.toThrow(BeerServiceOverloadedError)
    await expect(failure).rejects.toMatchObject({ code: 'BEER_SERVICE_OVERLOADED', status, retryAfterSeconds })
  })

  it.each(['ftp://beers.test', 'beers', '', 'http://user:pass@beers.test'])('refuses the url %j', (url) => {
    expect(() => createBeerClient({ url })).toThrow(TypeError)
  })

  it.each([0, -1, 1.5, Number.NaN])('refuses a timeout of %d ms and page %d', async (value) => {
    expect(() => createBeerClient({ url: 'http://beers.test', timeoutMs: value })).toThrow(RangeError)
    await expect(createBeerClient({ url: 'http://beers.test' }).page(value)).rejects.toThrow(RangeError)
  })

  it('has a timeout error that names limit and target', () => {
    const error = new BeerServiceTimeoutError('GET http://beers.test/beers page 1', 5000)
    expect(error).toMatchObject({ code: 'BEER_SERVICE_TIMEOUT', timeoutMs: 5000, name: 'BeerServiceTimeoutError' })
    expect(error.message).toBe('no complete answer within 5000 ms: GET http://beers.test/beers page 1')
  })
})
