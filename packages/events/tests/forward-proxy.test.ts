import { once } from 'node:events'
import http, { type ProxyEnv } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import tls, { createSecureContext } from 'node:tls'
import { createHttpGet, HttpClient } from '@taproom/http'
import { createAuthority, startForwardProxy, startHttpServer } from '@taproom/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { sendEvent } from '../src/index.ts'
import { makeEvent } from './make-event.ts'

let restore = () => {}
afterEach(() => restore())
const useProxies = (env: ProxyEnv) => {
  restore = http.setGlobalProxyFromEnv(env)
}

const authority = createAuthority()

// Here, not in packages/http: the testkit, with its proxy, depends on that package.

/** A service with TLS that counts its connections. */
async function startSecure() {
  const { certificate: cert, key } = authority.issue({ names: ['sink.test', '127.0.0.1'] })
  let connections = 0
  const server = createServer(
    { cert, key },
    (req, res) => void req.resume().on('end', () => res.end(`${req.method} ${req.url}`)),
  )
  server.on('secureConnection', () => {
    connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://sink.test:${(server.address() as AddressInfo).port}`,
    get connections() {
      return connections
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const secureContext = createSecureContext({ ca: authority.certificate })
const getOf = (url: string) => ({ method: 'GET', url, timeoutMs: 60_000, limitBytes: 1024 }) as const

describe('decisions 3.180: requests through a proxy that Node uses', () => {
  it('are passed on by it, with the credentials of its URL, where they have no TLS', async () => {
    await using sink = await startHttpServer((req, res) => void req.resume().on('end', () => res.writeHead(204).end()))
    await using proxy = await startForwardProxy()
    useProxies({ HTTP_PROXY: proxy.url.replace('//', '//us%20er:p%40ss@') })
    const url = `http://sink.test:${sink.port}/a?b=c`
    const outcome = await sendEvent({ url, event: makeEvent(), timeoutMs: 60_000 })
    expect(outcome).toEqual({ delivered: true, status: 204 })
    expect(proxy.requests).toEqual([`POST ${url}`])
    expect(proxy.authorization).toBe(`Basic ${Buffer.from('us er:p@ss').toString('base64')}`)
    expect(sink.requests).toMatchObject([
      { method: 'POST', url: '/a?b=c', headers: { host: `sink.test:${sink.port}` } },
    ])
    expect(sink.requests[0]?.headers).not.toHaveProperty('proxy-authorization')
  })

  it('go through a tunnel that it opens, and that is used again, where they have TLS', async () => {
    await using sink = await startSecure()
    await using proxy = await startForwardProxy()
    useProxies({ https_proxy: proxy.url.replace('//', '//user:pass@') })
    using client = new HttpClient({ secureContext })
    for (const path of ['/a', '/b']) {
      const { body } = await client.request(getOf(sink.url + path))
      expect(body.bytes.toString()).toBe(`GET ${path}`)
    }
    expect(proxy.requests).toEqual([`CONNECT ${sink.url.slice('https://'.length)}`])
    expect(proxy.authorization).toBe(`Basic ${Buffer.from('user:pass').toString('base64')}`)
    expect(sink.connections).toBe(1)
  })

  it('go to a proxy with TLS, in which Node trusts, whether they have TLS themselves or not', async () => {
    await using plain = await startHttpServer((_, res) => void res.end('plain'))
    await using secure = await startSecure()
    await using proxy = await startForwardProxy({ tls: authority.issue({ names: ['127.0.0.1'] }) })
    useProxies({ HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url })
    using client = new HttpClient({ secureContext })
    const plainUrl = `http://sink.test:${plain.port}/`
    await expect(client.request(getOf(plainUrl))).rejects.toMatchObject({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
    const trusted = tls.getCACertificates('default')
    tls.setDefaultCACertificates([...trusted, authority.certificate])
    try {
      expect((await client.request(getOf(plainUrl))).body.bytes.toString()).toBe('plain')
      expect((await client.request(getOf(`${secure.url}/a`))).body.bytes.toString()).toBe('GET /a')
    } finally {
      tls.setDefaultCACertificates(trusted)
    }
    expect(proxy.requests).toEqual([`GET ${plainUrl}`, `CONNECT ${secure.url.slice('https://'.length)}`])
  })

  it('follow redirects by the rule for each address', async () => {
    await using proxy = await startForwardProxy()
    await using server = await startHttpServer((req, res) => {
      if (req.url === '/') res.writeHead(302, { location: `${server.url}/end` }).end()
      else res.end('end')
    })
    useProxies({ HTTP_PROXY: proxy.url, NO_PROXY: '127.0.0.1' })
    using get = createHttpGet({})
    const { body } = await get(`http://films.test:${server.port}/`, AbortSignal.timeout(60_000))
    expect(body.toString()).toBe('end')
    expect(proxy.requests).toEqual([`GET http://films.test:${server.port}/`])
  })

  it.each([
    [407, 'ERR_PROXY_TUNNEL'],
    [502, 'ERR_PROXY_TUNNEL'],
    [0, 'HTTP_TIMEOUT'],
  ])('with TLS fail where it answers %i, without its credentials in the error', async (refusal, code) => {
    await using proxy = await startForwardProxy({ refusal })
    useProxies({ HTTPS_PROXY: proxy.url.replace('//', '//user:secret@') })
    using client = new HttpClient()
    const error = await client
      .request({ ...getOf('https://sink.test'), timeoutMs: refusal === 0 ? 200 : 60_000 })
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code })
    expect(String(error)).not.toContain('secret')
    expect(proxy.requests).toEqual(['CONNECT sink.test:443'])
  })

  it('fail where it cannot be reached', async () => {
    const { url, ...server } = await startHttpServer(() => {})
    await server[Symbol.asyncDispose]()
    useProxies({ HTTP_PROXY: url, HTTPS_PROXY: url })
    using client = new HttpClient()
    for (const target of ['http://sink.test', 'https://sink.test']) {
      await expect(client.request(getOf(target))).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    }
  })

  it('end with the client while the tunnel is opened', async () => {
    await using proxy = await startForwardProxy({ refusal: 0 })
    useProxies({ HTTPS_PROXY: proxy.url })
    const client = new HttpClient()
    const request = client.request(getOf('https://sink.test'))
    await expect.poll(() => proxy.requests).toHaveLength(1)
    client[Symbol.dispose]()
    await expect(request).rejects.toMatchObject({ code: 'HTTP_CLIENT_CLOSED' })
  })
})

/** Resolves when a request of Node's client is over, whether it was answered or not. */
const ended = (request: http.ClientRequest) =>
  new Promise((resolve) => {
    request
      .on('response', (answer) => answer.resume())
      .on('error', resolve)
      .on('close', resolve)
  })

describe('decisions 3.180: NO_PROXY', () => {
  const lists = [
    ...[
      '*',
      'localhost',
      'LocalHost',
      '.localhost',
      '*.localhost',
      'ocalhost',
      '.ocalhost',
      '127.0.0.1',
      '127.0.0.0/8',
    ],
    ...['127.0.0.0-127.0.0.9', '127.0.0.2 - 127.0.0.9', '127.0.0.1-', 'x, a.localhost ,', ',', ' ', 'x a.localhost'],
    ...['localhost:PORT', 'localhost:1', '.localhost:PORT', '127.0.0.1:PORT', '*:PORT'],
  ]
  it.each(lists)('%j is for the client what it is for the client of Node', async (form) => {
    await using server = await startHttpServer((_, res) => void res.end('ok'))
    await using proxy = await startForwardProxy()
    useProxies({ HTTP_PROXY: proxy.url, NO_PROXY: form.replace('PORT', String(server.port)) })
    using client = new HttpClient()
    for (const host of ['localhost', 'a.localhost', '127.0.0.1', 'LOCALHOST']) {
      const url = `http://${host}:${server.port}/`
      const before = proxy.requests.length
      // Machines differ in whether they know a.localhost.
      await client.request(getOf(url)).catch(() => undefined)
      await ended(http.get(url))
      expect([0, 2], `${host} ${proxy.requests}`).toContain(proxy.requests.length - before)
    }
  })
})
