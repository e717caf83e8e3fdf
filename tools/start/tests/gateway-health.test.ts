import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { call, startGateway } from './fixtures/gateway.ts'

const up = (...names: string[]) =>
  JSON.stringify({
    status: 'UP',
    checks: names.map((name) => ({ name, status: 'UP', data: { host: 'GET http://x/' } })),
  })

describe('gateway health', () => {
  it("reports every service's checks as they are, then one check for each service", async () => {
    await using system = await startGateway((req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' })
      res.end(req.url === '/q/health/live' ? up("I'm alive") : up("I'm alive", 'ExternalURL health check'))
    })
    const response = await call(`${system.url}/q/health`)
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/json; charset=UTF-8')
    const { status, checks } = JSON.parse(await text(response))
    expect(status).toBe('UP')
    expect(checks).toHaveLength(6)
    expect(checks[1]).toEqual({ name: 'ExternalURL health check', status: 'UP', data: { host: 'GET http://x/' } })
    expect(checks.at(-1)).toEqual({
      name: 'movie-api',
      status: 'UP',
      data: { "I'm alive": 'UP', 'ExternalURL health check': 'UP' },
    })
    const live = JSON.parse(await text(await call(`${system.url}/q/health/live`)))
    expect(live.checks.map((check: { name: string }) => check.name)).toEqual([
      "I'm alive",
      "I'm alive",
      'claim-api',
      'movie-api',
    ])
  })

  it('decisions 1.31: DOWN and 503 with the same JSON when a service is DOWN, gone, slow or talks nonsense', async () => {
    const answers: Record<string, RequestListener> = {
      down: (_, res) => res.writeHead(503).end('{"status":"DOWN","checks":[{"name":"database","status":"DOWN"}]}'),
      gone: (req) => req.socket.destroy(),
      slow: () => {},
      nonsense: (_, res) => res.end('<html>'),
    }
    for (const [name, answer] of Object.entries(answers)) {
      await using system = await startGateway(answer, { healthTimeoutMs: name === 'slow' ? 100 : 60_000 })
      const response = await call(`${system.url}/q/health/ready`)
      expect(response.statusCode).toBe(503)
      const { status, checks } = JSON.parse(await text(response))
      expect(status).toBe('DOWN')
      const data = name === 'down' ? { database: 'DOWN' } : { error: expect.any(String) }
      expect(checks.at(-1)).toEqual({ name: 'movie-api', status: 'DOWN', data })
    }
  })

  it('survives a service that does not run', async () => {
    await using system = await startGateway((_, res) => res.end(up('x')), {
      portOf: () => undefined,
    })
    const { status, checks } = JSON.parse(await text(await call(`${system.url}/q/health/started`)))
    expect(status).toBe('DOWN')
    expect(checks).toEqual([
      { name: 'claim-api', status: 'DOWN', data: { error: 'not running' } },
      { name: 'movie-api', status: 'DOWN', data: { error: 'not running' } },
    ])
  })

  it('decisions 1.38: HEAD answers like GET without a body, other methods are 405', async () => {
    await using system = await startGateway((_, res) => res.end(up('x')))
    const head = await call(`${system.url}/q/health`, { method: 'HEAD' })
    expect(head.statusCode).toBe(200)
    expect(await text(head)).toBe('')
    const post = await call(`${system.url}/q/health`, { method: 'POST' })
    expect(post.statusCode).toBe(405)
    expect(post.headers['allow']).toBe('GET, HEAD')
  })

  it('decisions 1.75: readiness is DOWN while the system stops, liveness is not', async () => {
    await using system = await startGateway((_, res) => res.end(up('x')), { shutdown: AbortSignal.abort() })
    expect((await call(`${system.url}/q/health/ready`)).statusCode).toBe(503)
    expect((await call(`${system.url}/q/health/live`)).statusCode).toBe(200)
  })
})
