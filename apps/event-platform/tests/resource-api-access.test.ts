import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { send } from './event-requests.ts'
import { BROKERS, type KubeApi, makeBroker, startKubeApi } from './kube-api.ts'

const TOKEN = 'a-token-of-more-than-32-characters-0'

describe('resource API, used by a web page', () => {
  let api: KubeApi
  beforeEach(async () => {
    api = await startKubeApi()
  })
  afterEach(async () => {
    await api[Symbol.asyncDispose]()
    expect(api.errors).toEqual([])
  })

  it.each([
    ['evil.example', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['evil.example:8001', 403],
    ['localhost.', 403],
    ['127.1', 403],
    ['2130706433', 403],
    ['0.0.0.0', 403],
    ['[::]', 403],
    ['[::ffff:127.0.0.1]', 403],
    ['localhost', 200],
    ['LOCALHOST:1', 200],
    ['127.0.0.1:8001', 200],
    ['127.9.9.9', 200],
    ['[::1]:8001', 200],
  ])('answers the host %j with %d', async (host, status) => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE', 'PATCH']) {
      const answer = await send(`${api.url}/version`, { method, headers: { host } })
      expect([method, answer.status]).toEqual([
        method,
        status === 200 && !['GET', 'HEAD'].includes(method) ? 405 : status,
      ])
    }
  })

  it.each([
    ['GET http://evil.example/version HTTP/1.1', 'localhost', 403],
    ['GET http://localhost/version HTTP/1.1', 'localhost', 200],
    ['GET http://[/version HTTP/1.1', 'localhost', 400],
    ['OPTIONS * HTTP/1.1', 'localhost', 400],
    ['GET version HTTP/1.1', 'localhost', 400],
    ['GET /version HTTP/1.1', '', 403],
    ['GET //evil.example/version HTTP/1.1', 'localhost', 404],
    ['GET /version HTTP/1.0', 'evil.example', 403],
  ])('answers %j for %s with %d', async (line, host, status) => {
    expect(await api.raw(`${line}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toMatch(
      new RegExp(`^HTTP/1.1 ${status} `),
    )
  })

  it('refuses HTTP/1.0 without a host', async () => {
    expect(await api.raw('GET /version HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /)
  })

  it.each<[string, Record<string, string>, number]>([
    ['of another origin', { origin: 'http://evil.example' }, 403],
    ['of another port', { origin: 'http://localhost:3000' }, 403],
    ['of a file', { origin: 'null' }, 403],
    ['of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 403],
    ['of the same site', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }, 403],
    ['in a frame', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, 403],
    ['by a link', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 200],
    ['typed by hand', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 200],
    ['of its own', { 'sec-fetch-site': 'same-origin' }, 200],
  ])('answers a page %s', async (_case, headers, status) => {
    expect((await api.call('GET', BROKERS, undefined, headers)).status).toBe(status)
    if ('origin' in headers || headers['sec-fetch-site'] === 'cross-site') {
      expect((await api.call('POST', BROKERS, makeBroker('x'), headers)).status).toBe(403)
    }
  })

  it('takes no object of a browser in a form or as text, but of a client without a type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
      const headers = { 'content-type': type, 'sec-fetch-site': 'same-origin' }
      expect(await api.call('POST', BROKERS, makeBroker('x'), headers)).toMatchObject({
        status: 415,
        body: { kind: 'Status', reason: 'UnsupportedMediaType', message: expect.stringContaining('from a browser') },
      })
    }
    expect(api.store.list('Broker')).toEqual([])
  })

  it('answers nothing a page may read, show or run', async () => {
    const { headers } = await api.call('GET', '/version', undefined, { origin: api.url })
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })
})

describe('resource API on an address that others reach', () => {
  let api: KubeApi
  beforeEach(async () => {
    api = await startKubeApi({ isLocalOnly: false, allowedHosts: ['Platform.example', '[fe80::1]'], token: TOKEN })
  })
  afterEach(async () => {
    await api[Symbol.asyncDispose]()
    expect(api.errors).toEqual([])
  })
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

  it('answers the hosts it was given and its own address', async () => {
    for (const host of ['platform.example', 'PLATFORM.EXAMPLE:99', '[FE80::1]:1', '127.0.0.1', 'localhost']) {
      expect([host, (await api.call('GET', '/version', undefined, { host })).status]).toEqual([host, 200])
    }
    for (const host of ['evil.example', 'x.platform.example', '10.0.0.1']) {
      expect([host, (await api.call('GET', '/version', undefined, { host })).status]).toEqual([host, 403])
    }
  })

  it.each([
    ['none', {}],
    ['another token', { authorization: 'Bearer other' }],
    ['the beginning of the token', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ['more than the token', { authorization: `Bearer ${TOKEN}x` }],
    ['an empty one', { authorization: 'Bearer ' }],
    ['the token without a scheme', { authorization: TOKEN }],
    ['the token of another scheme', { authorization: `Digest ${TOKEN}` }],
    ['another password', { authorization: basic('kubectl:other') }],
    ['the token as user', { authorization: basic(`${TOKEN}:`) }],
    ['no password', { authorization: basic('kubectl') }],
  ])('lets nobody write with %s', async (_case, headers: Record<string, string>) => {
    for (const [method, path] of [
      ['POST', BROKERS],
      ['PUT', `${BROKERS}/x`],
      ['PATCH', `${BROKERS}/x`],
      ['DELETE', '/api/v1/namespaces/default'],
      ['POST', `${BROKERS}?dryRun=All`],
      ['POST', '/nowhere'],
      ['QUERY', BROKERS],
    ] as const) {
      const answer = await api.call(method, path, method === 'DELETE' ? undefined : makeBroker('x'), headers)
      expect([method, answer]).toEqual([
        method,
        expect.objectContaining({ status: 401, body: expect.objectContaining({ reason: 'Unauthorized' }) }),
      ])
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="resource API"')
      expect(JSON.stringify(answer)).not.toContain(TOKEN)
    }
    expect((await api.call('GET', BROKERS, undefined, headers)).status).toBe(200)
    expect(api.store.list('Broker')).toEqual([])
  })

  it.each([`Bearer ${TOKEN}`, `bearer  ${TOKEN}`, basic(`kubectl:${TOKEN}`), basic(`:${TOKEN}`)])(
    'lets write with %j',
    async (authorization) => {
      expect((await api.call('POST', BROKERS, makeBroker('x'), { authorization })).status).toBe(201)
    },
  )

  it('refuses all writing from elsewhere when there is no token', async () => {
    await using closed = await startKubeApi({ isLocalOnly: false })
    for (const authorization of ['Bearer ', 'Bearer undefined', 'Basic Og==', '']) {
      expect((await closed.call('POST', BROKERS, makeBroker('x'), { authorization })).status).toBe(401)
    }
  })
})
