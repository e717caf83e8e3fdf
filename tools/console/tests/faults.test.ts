import { startHttpServer } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { faultRoutes, type StandInProcess } from '../src/faults/fault-routes.ts'
import { ask, BEARER, openConsole } from './fixtures/console.ts'

async function faultsOf(...processes: StandInProcess[]) {
  await using server = await openConsole(faultRoutes({ standIns: async () => processes }))
  const set = await ask(server, 'PUT', '/api/faults/somebody', {
    headers: { ...BEARER, host: `127.0.0.1:${server.port}`, 'content-type': 'application/json' },
    body: '{"mode":"slow"}',
  })
  const listed = await ask(server, 'GET', '/api/faults', { headers: { host: `127.0.0.1:${server.port}` } })
  return { items: JSON.parse(listed.body).items, set: { status: set.status, detail: JSON.parse(set.body).detail } }
}

describe('decisions 3.117: what cannot go wrong on purpose', () => {
  it('is a system whose parts are all real', async () => {
    expect(await faultsOf()).toEqual({
      items: [],
      set: { status: 404, detail: '"somebody" cannot go wrong on purpose: nothing here can, as all of it is real' },
    })
  })

  it('is a stand-in that does not run', async () => {
    expect(await faultsOf({ name: 'somebody' })).toMatchObject({ items: [], set: { status: 404 } })
  })

  it.each([
    [404, 'application/json', '{"detail":"Not found"}'],
    [200, 'text/html', '<html>'],
    [200, 'application/json', '{"mode":"melted","modes":["melted"]}'],
    [200, 'application/json', '{"mode":"slow","modes":"slow"}'],
    [200, 'application/json', `"${'x'.repeat(100_000)}"`],
    [302, 'application/json', ''],
  ])('is a stand-in of somebody else, which answers %i %s %j', async (status, type, body) => {
    await using standIn = await startHttpServer((_request, response) => {
      response.writeHead(status, { 'Content-Type': type, Location: 'http://example.org/' }).end(body)
    })
    expect(await faultsOf({ name: 'somebody', port: standIn.port })).toMatchObject({ items: [], set: { status: 404 } })
    expect(standIn.requests.map(({ method }) => method)).not.toContain('PUT')
  })

  it('is a port that breaks off', async () => {
    await using standIn = await startHttpServer((request) => request.socket.destroy())
    expect(await faultsOf({ name: 'somebody', port: standIn.port })).toMatchObject({ items: [], set: { status: 404 } })
  })
})

it('a stand-in that breaks off when it is told is 503, with the reason', async () => {
  await using standIn = await startHttpServer((request, response) => {
    if (request.method === 'GET') response.end('{"mode":"none","modes":["none","slow"]}')
    else request.socket.destroy()
  })
  const { set } = await faultsOf({ name: 'somebody', port: standIn.port })
  expect(set).toEqual({ status: 503, detail: 'somebody cannot be told: fetch failed: other side closed' })
})
