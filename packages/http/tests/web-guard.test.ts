import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { hostname } from 'node:os'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createWebGuard, isLoopback, sendProblem, type WebGuardOptions } from '../src/index.ts'

type Headers = Readonly<Record<string, string>>

/** A server that answers 200 to what its guard lets through. */
async function open(options?: WebGuardOptions) {
  const guard = createWebGuard(options)
  const server = createServer((req, res) => {
    const refusal = guard.refusal(req)
    req.resume()
    if (refusal === undefined) res.end('served')
    else sendProblem(res, refusal)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const own = `localhost:${port}`
  return {
    own,
    async ask(method: string, headers: Headers, body?: string) {
      const sent = request({ host: '127.0.0.1', port, method, headers: { host: own, ...headers }, agent: false })
      const [response] = await once(sent.end(body), 'response')
      return { status: response.statusCode as number, headers: response.headers, body: await text(response) }
    },
    async raw(head: string) {
      const socket = connect(port, '127.0.0.1')
      socket.write(`${head}\r\nConnection: close\r\n\r\n`)
      return Number(/^HTTP\/1\.1 (\d+)/.exec(await text(socket))?.[1])
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

describe('the Host of a request', () => {
  const SAFE = ['localhost', 'LOCALHOST:1', 'api.localhost:8080', '127.0.0.1', '127.9.9.9:1', '[::1]:8081', hostname()]
  const ADDRESSES = ['192.168.1.7:8081', '172.17.0.2', '0.0.0.0', '[fe80::1]', '[::ffff:127.0.0.1]']
  const REBOUND = [
    ...['evil.example', 'evil.example:8081', 'localhost.evil.example', '127.0.0.1.nip.io', 'evil-localhost'],
    ...['localhost.', '127.1', '2130706433', '0x7f000001', '[::1].evil.example'],
  ]

  it('is this machine by name or by any address', async () => {
    await using server = await open()
    for (const host of [...SAFE, ...ADDRESSES])
      expect([host, (await server.ask('GET', { host })).status]).toEqual([host, 200])
  })

  it('that a page can make lead here is 421, with words on what to do, for every method', async () => {
    await using server = await open({ namesFrom: 'SOME_HOSTS' })
    for (const host of REBOUND) {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
        const { status, headers, body } = await server.ask(method, { host })
        expect([host, status, headers.connection]).toEqual([host, 421, 'close'])
        expect(headers['content-type']).toBe('application/problem+json')
        expect(JSON.parse(body).detail).toContain(
          'use localhost or an address of this machine, or add the host to SOME_HOSTS',
        )
      }
    }
  })

  it('is also one of the given names, in any case and with any port', async () => {
    await using server = await open({ names: ['Registry.example', /\.svc\.cluster\.local$/] })
    for (const host of ['registry.EXAMPLE:1', 'a.b.svc.cluster.local'])
      expect((await server.ask('GET', { host })).status).toBe(200)
    for (const host of ['a.registry.example', 'registry.example.'])
      expect((await server.ask('GET', { host })).status).toBe(421)
  })

  it('has to be the address of the connection where other addresses are not wanted', async () => {
    await using server = await open({ addresses: 'own' })
    for (const host of SAFE) expect((await server.ask('GET', { host })).status).toBe(200)
    for (const host of [...ADDRESSES, ...REBOUND]) expect((await server.ask('GET', { host })).status).toBe(421)
  })

  it('has to have the port where that is wanted', async () => {
    await using server = await open({ needsPort: true })
    expect((await server.ask('GET', {})).status).toBe(200)
    for (const host of ['localhost', 'localhost:1', '127.0.0.1:1'])
      expect((await server.ask('GET', { host })).status).toBe(421)
  })

  it('counts in the target, too, and cannot be left out', async () => {
    await using server = await open()
    expect(await server.raw('GET http://evil.example/ HTTP/1.1\r\nHost: localhost')).toBe(421)
    expect(await server.raw('GET http://localhost/ HTTP/1.1\r\nHost: localhost')).toBe(200)
    expect(await server.raw('GET / HTTP/1.0')).toBe(421)
    expect(await server.raw('GET / HTTP/1.1\r\nHost:')).toBe(421)
  })
})

const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
const JSON_TYPE = { 'content-type': 'application/json' }

describe('a page', () => {
  it.each<[string, Headers]>([
    ['of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['of another port', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
    ['of another origin, of a browser that says no more', { origin: 'http://evil.example' }],
    ['at another port, of a browser that says no more', { origin: 'http://localhost:3000' }],
    ['of a file or a sandbox', { origin: 'null' }],
    ['in a frame', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
  ])('%s is 403 for whatever it sends', async (_what, headers) => {
    await using server = await open()
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, headers: answered, body } = await server.ask(method, { ...JSON_TYPE, ...headers })
      expect([method, status]).toEqual([method, 403])
      expect(answered['content-type']).toBe('application/problem+json')
      expect(JSON.parse(body).detail).toContain('a page of another origin sent this request')
    }
  })

  it('is reached by a link of another site and by its address, but no form is sent to it', async () => {
    await using server = await open()
    for (const site of ['cross-site', 'same-site', 'none', 'same-origin']) {
      const headers = { 'sec-fetch-site': site, ...NAVIGATION }
      expect((await server.ask('GET', headers)).status).toBe(200)
    }
    for (const method of ['POST', 'DELETE']) {
      expect((await server.ask(method, { 'sec-fetch-site': 'cross-site', ...NAVIGATION, ...JSON_TYPE })).status).toBe(
        403,
      )
    }
  })

  it('of the server itself is served, also behind HTTPS', async () => {
    await using server = await open()
    for (const scheme of ['http', 'https']) {
      const headers = { origin: `${scheme}://${server.own}`, 'sec-fetch-site': 'same-origin', ...JSON_TYPE }
      for (const method of ['POST', 'PUT', 'DELETE']) expect((await server.ask(method, headers, '{}')).status).toBe(200)
    }
    expect((await server.ask('DELETE', { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  it.each([
    [['https://shop.example'], 'https://shop.example', 200],
    [['*'], 'https://other.example', 200],
    [['https://shop.example'], 'https://other.example', 403],
  ])('of one of the origins %j is served: %s is %d', async (origins, origin, status) => {
    await using server = await open({ origins })
    const headers = { origin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }
    for (const method of ['GET', 'POST', 'OPTIONS']) expect((await server.ask(method, headers)).status).toBe(status)
  })
})

describe('a body that any page can send without being asked', () => {
  const SIMPLE = ['text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=a']

  it('is 415 from a browser', async () => {
    await using server = await open()
    for (const site of [{ origin: `http://${server.own}` }, { 'sec-fetch-site': 'same-origin' }]) {
      for (const type of SIMPLE) {
        for (const method of ['POST', 'PUT', 'DELETE']) {
          const { status, body } = await server.ask(
            method,
            { ...site, 'content-type': type, 'content-length': '2' },
            '{}',
          )
          expect([method, type, status]).toEqual([method, type, 415])
          expect(JSON.parse(body).detail).toContain('expected one that no form can have')
        }
      }
      expect((await server.ask('POST', site)).status).toBe(415)
      expect((await server.ask('POST', { ...site, 'transfer-encoding': 'chunked' }, '{}')).status).toBe(415)
    }
  })

  it('is served with a bearer token, which no page can add unasked', async () => {
    await using server = await open()
    const site = { 'sec-fetch-site': 'same-origin' }
    expect((await server.ask('POST', { ...site, authorization: 'Bearer a' })).status).toBe(200)
    expect((await server.ask('POST', { ...site, authorization: 'Basic YTpi' })).status).toBe(415)
  })

  it.each<[string, string, Headers]>([
    ['curl -d', 'POST', { 'user-agent': 'curl/8.5.0', accept: '*/*', 'content-type': SIMPLE[1] ?? '' }],
    ['curl -X DELETE', 'DELETE', { 'user-agent': 'curl/8.5.0', accept: '*/*' }],
    ['client-go without a type', 'PATCH', { 'user-agent': 'kubectl/v1.32.0 (linux/amd64) kubernetes/70d3cc9' }],
    ['fetch of Node', 'POST', { 'sec-fetch-mode': 'cors', 'user-agent': 'node', 'content-type': SIMPLE[0] ?? '' }],
    ["Confluent's client for Java", 'POST', { 'content-type': 'application/vnd.schemaregistry.v1+json' }],
    ["Confluent's client for Python", 'POST', { accept: 'application/vnd.schemaregistry.v1+json', ...JSON_TYPE }],
  ])('is served from %s', async (_client, method, headers) => {
    await using server = await open()
    expect((await server.ask(method, headers, '{}')).status).toBe(200)
  })
})

it.each([
  ['localhost', true],
  ['LocalHost', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['[::1]', true],
  ['0.0.0.0', false],
  ['127.1', false],
  ['localhost.', false],
  ['', false],
])('isLoopback(%j) is %j', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})
