import { run } from '@taproom/processes'
import { waitFor } from '@taproom/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import type { OperationView } from '../src/api/requests.ts'
import { driven } from './fixtures/driven.ts'
import { sharedSystem } from './fixtures/shared-system.ts'
import { tried } from './fixtures/tried.ts'

let system: ReturnType<typeof driven>
beforeAll(async () => {
  system = driven(await sharedSystem())
})

describe('requests', () => {
  it('have forms for every operation of the gateway', async () => {
    const items: OperationView[] = (await system.get('/api/operations')).body.items
    const operation = (path: string) => items.find((each) => each.path === path)
    expect(operation('/secure/claim')).toMatchObject({ method: 'GET', isProtected: true, streams: false })
    expect(operation('/beer')).toMatchObject({ isProtected: false, streams: true })
    expect(operation('/movie')?.parameters).toMatchObject([
      { name: 'year', in: 'query', isRequired: false, schema: { type: 'integer' } },
    ])
  })

  it("decisions 3.117: have the chosen user's token, a trace of their own, and a curl line for the same request", async () => {
    const token = { user: "o'duke", groups: ['Subscriber'] }
    const { head, text, end } = await tried(system.console, {
      method: 'GET',
      path: '/secure/claim',
      headers: {},
      token,
    })
    expect({ status: head.status, text, end }).toMatchObject({ status: 200, text: "o'duke", end: { bytes: 6 } })
    expect(end.tookMs).toBeGreaterThanOrEqual(head.tookMs)
    expect((await run('bash', ['--norc', '-c', head.curl])).stdout).toMatch(/^HTTP\/1\.1 200[\s\S]*o'duke$/)
    await waitFor('the spans of its services', async () => {
      const { status, body } = await system.get(`/api/traces/${head.traceId}`)
      const services = status === 200 ? body.items.map(({ service }: { service: string }) => service) : []
      return ['console', 'gateway', 'claim-api'].every((name) => services.includes(name))
    })
  })

  it('are refused as the service refuses them', async () => {
    const { head } = await tried(system.console, {
      method: 'GET',
      path: '/secure/claim',
      headers: { Accept: 'text/plain' },
    })
    expect(head.status).toBe(401)
    expect(head.headers.map(([name]) => name.toLowerCase())).toContain('www-authenticate')
  })

  it('stream as their answers come, and end when the caller is gone', async () => {
    const leave = new AbortController()
    const { head, text } = await tried(
      system.console,
      { method: 'GET', path: '/beer', headers: { Accept: 'text/event-stream' } },
      { signal: leave.signal, until: (seen) => (seen.match(/\ndata: \{/g) ?? []).length >= 3 },
    )
    expect(head).toMatchObject({ status: 200, curl: expect.stringContaining('curl -N ') })
    expect(text).toContain('"price"')
    leave.abort()
    // The console's own part of the trace is known when the request has ended.
    await waitFor('its end', async () => {
      const { status, body } = await system.get(`/api/traces/${head.traceId}`)
      return status === 200 && body.items.some(({ service }: { service: string }) => service === 'console')
    })
  })

  it.each([
    [{ path: 'http://example.org/' }, 'expected a path that begins with /'],
    [{ path: '/a b' }, 'unescaped characters'],
    [{ headers: { Host: 'example.org' } }, 'header Host is set by the console itself'],
    [{ headers: { 'a b': 'x' } }, 'Header name must be a valid HTTP token'],
    [{ headers: { a: 'x\ny' } }, 'Invalid character in header content'],
    [{ method: 'CONNECT' }, 'method is "CONNECT": expected one of GET'],
    [{ token: { user: 'duke', groups: 'all' } }, 'groups is "all": expected a list'],
  ])('of %j are 400', async (wrong, detail) => {
    const answer = await system.post('/api/requests', { method: 'GET', path: '/', headers: {}, ...wrong })
    expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringContaining(detail) } })
  })

  it('never leave the gateway, whatever their path says', async () => {
    const { head } = await tried(system.console, { method: 'GET', path: '//example.org/secure/claim', headers: {} })
    expect(head.status).toBe(404)
  })

  it('can be made elsewhere with a token', async () => {
    const { body } = await system.post('/api/tokens', { user: 'duke', groups: ['Subscriber'] })
    const answer = await fetch(`${system.gateway}/secure/claim`, { headers: { Authorization: `Bearer ${body.token}` } })
    expect(await answer.text()).toBe('duke')
  })
})
