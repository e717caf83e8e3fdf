import { request as httpRequest } from 'node:http'
import { startHttpServer } from '@taproom/testkit'
import express from 'express'
import { afterAll, describe, expect, it } from 'vitest'
import {
  createHealth,
  type HealthCheck,
  type HealthOptions,
  type HealthRoutesOptions,
  healthRoutes,
} from '../src/index.ts'

const up = (name: string): HealthCheck => ({ name, check: () => ({ status: 'UP' }) })
const down = (name: string): HealthCheck => ({ name, check: () => ({ status: 'DOWN', data: { reason: 'gone' } }) })

describe('healthRoutes', () => {
  const servers = new AsyncDisposableStack()
  afterAll(() => servers.disposeAsync())

  async function serve(health: HealthOptions = {}, routes?: HealthRoutesOptions): Promise<string> {
    const app = express().use(healthRoutes(createHealth({ cacheMs: 0, ...health }), routes))
    return servers.use(await startHttpServer(app)).url
  }

  const names = async (response: Response) => {
    const report = (await response.json()) as { checks: { name: string }[] }
    return report.checks.map((check) => check.name)
  }

  it('answers the combined report of contract 2.6 at the default root', async () => {
    const url = await serve({ readiness: [up('database')] })
    const response = await fetch(`${url}/q/health`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=UTF-8')
    expect(await response.json()).toEqual({
      status: 'UP',
      checks: [
        { name: "I'm alive", status: 'UP' },
        { name: 'database', status: 'UP' },
      ],
    })
  })

  it('decisions 1.33: answers each kind with its own checks only', async () => {
    const url = await serve({
      readiness: [up('r')],
      startup: [up('s')],
      wellness: [up('w')],
      groups: { g: [up('in g')] },
    })
    expect(await names(await fetch(`${url}/q/health/live`))).toEqual(["I'm alive"])
    expect(await names(await fetch(`${url}/q/health/ready`))).toEqual(['r'])
    expect(await names(await fetch(`${url}/q/health/well`))).toEqual(['w'])
    expect(await names(await fetch(`${url}/q/health/group/g`))).toEqual(['in g'])
    expect(await names(await fetch(`${url}/q/health`))).toEqual(["I'm alive", 'r', 's', 'w', 'in g'])
    expect((await fetch(`${url}/q/health/group/other`)).status).toBe(404)
  })

  it.each(['the night shift', 'a:b', 'größe'])('finds the group "%s" by its encoded name', async (name) => {
    const url = await serve({ groups: { [name]: [up('in it')] } })
    expect(await names(await fetch(`${url}/q/health/group/${encodeURIComponent(name)}`))).toEqual(['in it'])
    expect((await fetch(`${url}/q/health/group/${name}`)).status).toBe(200)
  })

  it('decisions 1.31, 2.14: DOWN is 503 with the same JSON', async () => {
    const url = await serve({ readiness: [down('database')] })
    const response = await fetch(`${url}/q/health/ready`)
    expect(response.status).toBe(503)
    expect(response.headers.get('content-type')).toBe('application/json; charset=UTF-8')
    expect(await response.json()).toEqual({
      status: 'DOWN',
      checks: [{ name: 'database', status: 'DOWN', data: { reason: 'gone' } }],
    })
  })

  it('decisions 1.32: a throwing check is DOWN with its root cause, 503 and never 500', async () => {
    const cause = new Error('connection refused')
    const broken: HealthCheck = {
      name: 'broken',
      check: () => {
        throw new Error('query failed', { cause })
      },
    }
    const response = await fetch(`${await serve({ readiness: [broken, up('fine')] })}/q/health/ready`)
    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({
      status: 'DOWN',
      checks: [
        { name: 'broken', status: 'DOWN', data: { rootCause: 'connection refused' } },
        { name: 'fine', status: 'UP' },
      ],
    })
  })

  it('decisions 1.33: /started exists, and is UP without checks', async () => {
    const response = await fetch(`${await serve()}/q/health/started`)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ status: 'UP', checks: [] })
  })

  it('decisions 1.35: liveness stays UP while a dependency is DOWN', async () => {
    const url = await serve({ readiness: [down('kafka')] })
    expect((await fetch(`${url}/q/health/live`)).status).toBe(200)
    expect((await fetch(`${url}/q/health/ready`)).status).toBe(503)
  })

  it('decisions 1.36: only the configured root answers', async () => {
    const url = await serve({}, { rootPath: '/health' })
    expect((await fetch(`${url}/health`)).status).toBe(200)
    expect((await fetch(`${url}/health/live`)).status).toBe(200)
    expect((await fetch(`${url}/q/health`)).status).toBe(404)
    expect((await fetch(`${url}/q/health/live`)).status).toBe(404)
  })

  it('decisions 1.37: the page is there in development only', async () => {
    const shown = await fetch(`${await serve({}, { ui: true })}/q/health-ui/`)
    expect(shown.status).toBe(200)
    expect(shown.headers.get('content-type')).toBe('text/html; charset=UTF-8')
    expect((await fetch(`${await serve()}/q/health-ui/`)).status).toBe(404)
  })

  it('finds the page without its slash', async () => {
    const response = await fetch(`${await serve({}, { ui: true })}/q/health-ui`, { redirect: 'manual' })
    expect(response.status).toBe(308)
    expect(response.headers.get('location')).toBe('/q/health-ui/')
    const app = express().use('/inner', healthRoutes(createHealth(), { ui: true }))
    const inner = servers.use(await startHttpServer(app)).url
    expect((await fetch(`${inner}/inner/q/health-ui`)).url).toBe(`${inner}/inner/q/health-ui/`)
  })

  it('decisions 1.38: HEAD is like GET without the body', async () => {
    const url = await serve()
    const response = await fetch(`${url}/q/health/live`, { method: 'HEAD' })
    const body = await (await fetch(`${url}/q/health/live`)).text()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=UTF-8')
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(body)))
    expect(await response.text()).toBe('')
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('decisions 1.38: %s is 405 with Allow', async (method) => {
    const url = await serve({}, { ui: true })
    for (const path of ['', '/live', '/ready', '/started', '/well', '-ui/']) {
      const response = await fetch(`${url}/q/health${path}`, { method })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('GET, HEAD')
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect(await response.json()).toMatchObject({ status: 405, title: 'Method Not Allowed' })
    }
  })

  it('decisions 1.75: readiness is DOWN from the shutdown signal on, liveness is not', async () => {
    const shutdown = new AbortController()
    const url = await serve({ shutdown: shutdown.signal })
    expect((await fetch(`${url}/q/health/ready`)).status).toBe(200)
    shutdown.abort()
    expect((await fetch(`${url}/q/health/ready`)).status).toBe(503)
    expect((await fetch(`${url}/q/health`)).status).toBe(503)
    expect((await fetch(`${url}/q/health/live`)).status).toBe(200)
  })

  it('survives a client that leaves while a check runs', async () => {
    const started = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const slow: HealthCheck = {
      name: 'slow',
      async check() {
        started.resolve()
        await goOn.promise
        return { status: 'UP' }
      },
    }
    const url = await serve({ readiness: [slow] })
    const request = httpRequest(`${url}/q/health/ready`).on('error', () => {})
    request.end()
    await started.promise
    request.destroy()
    goOn.resolve()
    expect((await fetch(`${url}/q/health/ready`)).status).toBe(200)
  })

  it.each(['', 'q/health', '/q/:health', '/q//health', '/q health'])('refuses the root path "%s"', (rootPath) => {
    expect(() => healthRoutes(createHealth(), { rootPath })).toThrow(
      expect.objectContaining({ code: 'HEALTH_OPTION_INVALID' }),
    )
  })
})
