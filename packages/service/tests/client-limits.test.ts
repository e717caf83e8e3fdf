import { once } from 'node:events'
import { eventually } from '@taproom/testkit'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createBareApp, createMetrics, type ListenOptions, trustedProxies } from '../src/index.ts'
import { answerOf, open, raw, request, start } from './raw-client.ts'

/** An app whose metrics can be read, with limits. */
async function startLimited(options: Partial<ListenOptions>) {
  const metrics = createMetrics()
  const log = pino({ level: 'silent' })
  const app = createBareApp({ log, metrics, routes: [metrics.routes, (_req, res) => res.end('served')] })
  const server = await start(app, { unlimitedPaths: ['/q/health', '/q/metrics'], ...options })
  const statusOf = async (path: string, forwarded?: string) => {
    const from = forwarded === undefined ? '' : `X-Forwarded-For: ${forwarded}\r\n`
    return Number((await raw(server.port, request(path, `${from}Connection: close\r\n`))).split(' ')[1])
  }
  const refused = async (reason: string) => {
    const text = await (await fetch(`${server.url}/q/metrics`)).text()
    return Number(text.match(`http_server_refused_total\\{reason="${reason}"\\} (\\d+)`)?.[1] ?? 0)
  }
  return { server, statusOf, refused }
}

const SLOW = { perSecond: 0.001, burst: 2 }

describe('decisions 3.41: the rate of one client', () => {
  it('has no limit unless one is asked for', async () => {
    const { statusOf } = await startLimited({})
    for (let count = 0; count < 50; count += 1) expect(await statusOf('/')).toBe(200)
  })

  it('beyond its limit is 429 problem+json that says when to come again, and counted', async () => {
    const { server, refused } = await startLimited({ rateLimit: SLOW })
    const client = open(server.port)
    client.write(request('/').repeat(3) + request('/q/metrics', 'Connection: close\r\n'))
    const { answer } = await answerOf(client)
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['200', '200', '429', '200'].map((status) => `HTTP/1.1 ${status}`))
    expect(answer).toMatch(/\r\nRetry-After: \d+\r\n/)
    expect(answer).toMatch(/\r\nContent-Type: application\/problem\+json\r\n/)
    expect(await refused('rate')).toBe(1)
  })

  it('is not limited for health and metrics, whose names open no other path', async () => {
    const { statusOf } = await startLimited({ rateLimit: SLOW })
    for (let count = 0; count < 5; count += 1) {
      expect(await statusOf('/q/health')).toBe(200)
      expect(await statusOf('/q/health/live?x')).toBe(200)
      expect(await statusOf('/q/metrics')).toBe(200)
    }
    const statuses = await Promise.all(
      ['/q/healthy', '/q/metricsx', '/?/q/health', '//q/health'].map((path) => statusOf(path)),
    )
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  })

  it('decisions 3.49: is limited for whoever writes to the paths of health and metrics', async () => {
    const { server } = await startLimited({ rateLimit: SLOW })
    const client = open(server.port)
    const post = 'POST /q/health/x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n'
    client.write(`${`${post}\r\n`.repeat(2)}${post}Connection: close\r\n\r\n`)
    const { answer } = await answerOf(client)
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 429'])
  })

  it('goes by the address that a trusted proxy tells, IPv6 by its /64, and by the peer otherwise', async () => {
    const trusted = await startLimited({ rateLimit: SLOW })
    const asked = async (from: string) => [await trusted.statusOf('/', from), await trusted.statusOf('/', from)]
    expect(await asked('192.0.2.1')).toEqual([200, 200])
    expect(await asked('203.0.113.1, 192.0.2.1')).toEqual([429, 429])
    expect(await asked('192.0.2.2')).toEqual([200, 200])
    expect(await asked('2001:db8::1')).toEqual([200, 200])
    expect(await asked('2001:db8::2')).toEqual([429, 429])
    expect(await asked('2001:db8:0:1::1')).toEqual([200, 200])

    const none = await startLimited({ rateLimit: SLOW, trustedProxies: trustedProxies([]) })
    expect(await none.statusOf('/', '192.0.2.1')).toBe(200)
    expect(await none.statusOf('/', '192.0.2.2')).toBe(200)
    expect(await none.statusOf('/', '192.0.2.3')).toBe(429)
  })

  it('is refused before the body is read, which is dropped, and the connection goes on', async () => {
    const { server } = await startLimited({ rateLimit: { perSecond: 0.001, burst: 1 } })
    const client = open(server.port)
    client.write(`${request('/')}POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n`)
    client.write(Buffer.alloc(100_000))
    client.write(request('/q/metrics', 'Connection: close\r\n'))
    const { answer } = await answerOf(client)
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 429', 'HTTP/1.1 200'])
  })
})

describe('decisions 3.41: the connections of one client', () => {
  it('beyond its limit are closed as they come, and counted; those that end make room', async () => {
    const proxies = { trustedProxies: trustedProxies([]) }
    const { server, refused } = await startLimited({ maxConnectionsPerClient: 2, ...proxies })
    const first = open(server.port)
    first.write(request('/'))
    await once(first, 'data')
    const second = open(server.port)
    second.write(request('/'))
    await once(second, 'data')
    const third = open(server.port)
    third.write(request('/'))
    expect((await answerOf(third)).answer).toBe('')
    first.destroy()
    await eventually(async () => expect(await refused('connections')).toBeGreaterThan(0))
  })

  it('of a trusted proxy have no limit of their own', async () => {
    const { server } = await startLimited({ maxConnectionsPerClient: 1 })
    for (let count = 0; count < 3; count += 1) {
      const client = open(server.port)
      client.write(request('/'))
      expect(String(await once(client, 'data'))).toContain('served')
    }
  })
})
