import { startHttpServer } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { faultRoutes, type StandInProcess } from '../src/faults/fault-routes.ts'
import { ask, BEARER, openConsole } from './fixtures/console.ts'

async function faultsOf(...processes: StandInProcess[]) {
  await using server = await openConsole(faultRoutes({ standIns: async () => processes }))
  const set = await ask(server, 'PUT', '/api/faults/films', {
    headers: { ...BEARER, host: `127.0.0.1:${server.port}`, 'content-type': 'application/json' },
    body: '{"mode":"slow"}',
  })
  const listed = await ask(server, 'GET', '/api/faults', { headers: { host: `127.0.0.1:${server.port}` } })
  return { items: JSON.parse(listed.body).items, set: { status: set.status, detail: JSON.parse(set.body).detail } }
}

describe('decisions 3.117: no fault can be injected', () => {
  it('in a system without stand-ins', async () => {
    expect(await faultsOf()).toEqual({
      items: [],
      set: { status: 404, detail: 'no fault can be injected into "films": no stand-in and no embedded Kafka runs' },
    })
  })

  it('into a stand-in that does not run', async () => {
    expect(await faultsOf({ name: 'films' })).toMatchObject({ items: [], set: { status: 404 } })
  })

  it.each([
    [404, 'application/json', '{"detail":"Not found"}'],
    [200, 'text/html', '<html>'],
    [200, 'application/json', '{"mode":"melted","modes":["melted"]}'],
    [200, 'application/json', '{"mode":"slow","modes":"slow"}'],
    [200, 'application/json', `"${'x'.repeat(100_000)}"`],
    [302, 'application/json', ''],
  ])('into a stand-in without fault control, which answers %i %s %j', async (status, type, body) => {
    await using standIn = await startHttpServer((_request, response) => {
      response.writeHead(status, { 'Content-Type': type, Location: 'http://example.org/' }).end(body)
    })
    expect(await faultsOf({ name: 'films', port: standIn.port })).toMatchObject({ items: [], set: { status: 404 } })
    expect(standIn.requests.map(({ method }) => method)).not.toContain('PUT')
  })

  it('into a port that closes connections', async () => {
    await using standIn = await startHttpServer((request) => request.socket.destroy())
    expect(await faultsOf({ name: 'films', port: standIn.port })).toMatchObject({ items: [], set: { status: 404 } })
  })
})

it('a stand-in that closes the connection is 503, with the reason', async () => {
  await using standIn = await startHttpServer((request, response) => {
    if (request.method === 'GET') response.end('{"mode":"none","modes":["none","slow"]}')
    else request.socket.destroy()
  })
  const { set } = await faultsOf({ name: 'films', port: standIn.port })
  expect(set).toEqual({ status: 503, detail: 'films did not take the fault: fetch failed: other side closed' })
})
