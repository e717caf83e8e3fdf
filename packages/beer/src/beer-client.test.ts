import { describe, expect, it } from 'vitest'
import {
  BeerServiceAnswerError,
  BeerServiceOverloadedError,
  BeerServiceTimeoutError,
  BeerServiceUnreachableError,
  createBeerClient,
} from './index.ts'

/** A client whose one call gets `answer`; `requested` is the URL it asked for. */
function clientOf(answer: () => Response | Promise<Response>, options: { url?: string; bodyLimitBytes?: number } = {}) {
  const requested: string[] = []
  const client = createBeerClient({
    url: 'http://beers.test/v2',
    ...options,
    fetch: async (input) => {
      requested.push(String(input))
      return await answer()
    },
  })
  return { client, requested }
}

const redirect = (location: string) => new Response('', { status: 302, headers: { location } })

describe('createBeerClient', () => {
  it.each([
    ['http://beers.test', 'http://beers.test/beers?page=3'],
    ['http://beers.test/v2', 'http://beers.test/v2/beers?page=3'],
    ['http://beers.test/v2/', 'http://beers.test/v2/beers?page=3'],
    ['http://beers.test/v2?per_page=80', 'http://beers.test/v2/beers?per_page=80&page=3'],
  ])('asks %s for %s', async (url, expected) => {
    const { client, requested } = clientOf(() => Response.json([]), { url })
    await expect(client.page(3)).resolves.toEqual([])
    expect(requested).toEqual([expected])
  })

  it('follows a redirect, to https too, but not from there to http', async () => {
    const answers = [redirect('https://other.test/list?page=3'), Response.json([{ name: 'Pale' }])]
    const { client, requested } = clientOf(() => answers.shift() ?? Response.error())
    await expect(client.page(3)).resolves.toHaveLength(1)
    expect(requested).toEqual(['http://beers.test/v2/beers?page=3', 'https://other.test/list?page=3'])

    const back = clientOf(() => redirect('http://beers.test/v2/beers?page=3'), { url: 'https://beers.test' })
    await expect(back.client.page(3)).rejects.toThrow('from https: to the protocol http:')
    expect(back.requested).toHaveLength(1)
  })

  it('takes 325 beers of 100 fields each in one page', async () => {
    const fields = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`field${i}`, i]))
    const beers = Array.from({ length: 325 }, (_, i) => ({ name: `Beer ${i}`, abv: 5, ...fields }))
    await expect(clientOf(() => Response.json(beers)).client.page(1)).resolves.toHaveLength(325)
  })

  it('reduces each element of the list to a beer', async () => {
    const { client } = clientOf(() => Response.json([{ id: 1, name: 'Pale', tagline: 'Crisp.', abv: 4.5, ph: null }]))
    await expect(client.page(1)).resolves.toEqual([{ name: 'Pale', tagline: 'Crisp.', abv: 4.5 }])
  })

  it.each([
    ['a 404', () => new Response('{}', { status: 404 })],
    ['a 500', () => new Response('oops', { status: 500 })],
    ['a 204', () => new Response(null, { status: 204 })],
    ['HTML', () => new Response('<html>')],
    ['an object', () => Response.json({ beers: [] })],
    ['bytes that are not UTF-8', () => new Response(new Uint8Array([0x5b, 0xff, 0x5d]))],
    ['arrays inside each other', () => new Response('['.repeat(200_000))],
    ['more values than are built', () => new Response(`[${'{},'.repeat(50_000)}{}]`)],
    ['a name that is too long', () => Response.json([{ name: 'x'.repeat(65_537) }])],
    ['a tagline that is too long', () => Response.json([{ name: 'x', tagline: 'x'.repeat(65_537) }])],
    ['a redirect to another protocol', () => redirect('file:///etc/hostname')],
    ['a redirect with credentials', () => redirect('http://user:pass@beers.test/')],
    ['a redirect to no URL', () => redirect('http://[')],
    ['an endless redirect', () => redirect('/v2/beers?page=1')],
    ['an element that is no beer', () => Response.json([{ name: 'Pale' }, { tagline: 'nameless' }])],
  ])('refuses %s with BEER_SERVICE_BAD_ANSWER', async (_case, answer) => {
    const failure = clientOf(answer).client.page(1)
    await expect(failure).rejects.toThrow(BeerServiceAnswerError)
    await expect(failure).rejects.toMatchObject({ code: 'BEER_SERVICE_BAD_ANSWER' })
  })

  it('stops reading an answer longer than the limit', async () => {
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(Buffer.from('[[[[[[[[')) })
    const { client } = clientOf(() => new Response(endless), { bodyLimitBytes: 100 })
    await expect(client.page(1)).rejects.toThrow('answer exceeds 100 bytes')
  })

  it.each([
    [429, '7', 7],
    [503, undefined, undefined],
    [503, 'Wed, 21 Oct 2026 07:28:00 GMT', undefined],
  ])('reports %d with Retry-After %s as BEER_SERVICE_OVERLOADED', async (status, retryAfter, retryAfterSeconds) => {
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
    const failure = clientOf(() => new Response('', { status, headers })).client.page(1)
    await expect(failure).rejects.toThrow(BeerServiceOverloadedError)
    await expect(failure).rejects.toMatchObject({ code: 'BEER_SERVICE_OVERLOADED', status, retryAfterSeconds })
  })

  it('reports a connection that fails as BEER_SERVICE_UNREACHABLE', async () => {
    const { client } = clientOf(() => Promise.reject(new TypeError('fetch failed')))
    const failure = client.page(1)
    await expect(failure).rejects.toThrow(BeerServiceUnreachableError)
    await expect(failure).rejects.toMatchObject({ code: 'BEER_SERVICE_UNREACHABLE', cause: expect.any(TypeError) })
  })

  it.each(['ftp://beers.test', 'beers', '', 'http://user:pass@beers.test'])('refuses the url %j', (url) => {
    expect(() => createBeerClient({ url })).toThrow(TypeError)
  })

  it.each([0, -1, 1.5, Number.NaN])('refuses a timeout of %d ms and page %d', async (value) => {
    expect(() => createBeerClient({ url: 'http://beers.test', timeoutMs: value })).toThrow(RangeError)
    await expect(clientOf(() => Response.json([])).client.page(value)).rejects.toThrow(RangeError)
  })

  it('has a timeout error that names limit and target', () => {
    const error = new BeerServiceTimeoutError('GET http://beers.test/beers page 1', 5000)
    expect(error).toMatchObject({ code: 'BEER_SERVICE_TIMEOUT', timeoutMs: 5000, name: 'BeerServiceTimeoutError' })
    expect(error.message).toBe('no complete answer within 5000 ms: GET http://beers.test/beers page 1')
  })
})
