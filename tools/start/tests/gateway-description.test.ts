import { describeApi, type OpenApiDocument, type Paths } from '@taproom/openapi'
import { startHttpServer, type TestHttpServer } from '@taproom/testkit'
import { readDescription } from '@taproom/testkit/openapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGateway } from '../src/gateway/gateway.ts'

const paths: Readonly<Record<string, string>> = {
  'claim-api': '/secure/claim',
  'movie-api': '/movie',
  'beer-stream': '/beer',
}

function describeService(name: string): OpenApiDocument {
  const responses = { '204': { description: 'nothing' } }
  const own: Paths = { [paths[name] ?? '']: { get: { operationId: name, summary: name, tags: [name], responses } } }
  return describeApi({ title: name, description: name, paths: own })
}

/** Each answers its description, and 204 to everything else. */
const services = new Map<string, TestHttpServer>()
beforeAll(async () => {
  for (const name of Object.keys(paths)) {
    const description = JSON.stringify(describeService(name))
    const server = await startHttpServer((req, res) => {
      if (req.url === '/q/openapi?format=json') res.end(description)
      else res.writeHead(204).end()
    })
    services.set(name, server)
  }
})
afterAll(async () => {
  for (const server of services.values()) await server[Symbol.asyncDispose]()
})

async function startGateway(portOf = (service: string) => services.get(service)?.port) {
  const stack = new AsyncDisposableStack()
  const options = {
    title: 'Taproom',
    services: Object.keys(paths),
    paths: Object.fromEntries(Object.entries(paths).map(([name, path]) => [path, name])),
    healthRootPath: '/q/health',
    hasPages: false,
    home: () => {
      throw new Error('no page')
    },
  }
  const gateway = stack.use(createGateway({ ...options, portOf }))
  const front = stack.use(await startHttpServer(gateway.handle))
  return { url: front.url, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

describe('/q/openapi of the gateway', () => {
  it('is the description of all services at the base URL that was asked, without what is not served there', async () => {
    await using system = await startGateway()
    const response = await fetch(`${system.url}/q/openapi?format=json`)
    expect(response.headers.get('content-type')).toBe('application/json;charset=UTF-8')
    const document = (await response.json()) as OpenApiDocument
    expect(document.servers).toEqual([{ url: system.url }])
    expect(Object.keys(document.paths)).toEqual([
      '/secure/claim',
      '/q/health',
      '/q/health/live',
      '/q/health/ready',
      '/q/health/started',
      '/q/health/well',
      '/q/openapi',
      '/movie',
      '/beer',
    ])
  })

  it('is valid, and the gateway’s own answers fit it: a service that does not run is 503', async () => {
    await using system = await startGateway()
    const served = await fetch(`${system.url}/q/openapi.json`)
    const api = await readDescription((await served.json()) as object)
    for (const path of [...Object.values(paths), '/other', '/q/openapi']) await api.fetch(system.url + path)
    await using stopped = await startGateway(() => undefined)
    expect((await api.fetch(`${stopped.url}/movie`)).status).toBe(503)
    expect((await api.fetch(`${stopped.url}/q/health`)).status).toBe(503)
  })

  it('is YAML by default; HEAD is answered, other methods are 405', async () => {
    await using system = await startGateway()
    const yaml = await fetch(`${system.url}/q/openapi`)
    expect(yaml.headers.get('content-type')).toBe('application/yaml;charset=UTF-8')
    expect(await yaml.text()).toMatch(/^openapi: 3\.1\.1\n/)
    const head = await fetch(`${system.url}/q/openapi`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect((await fetch(`${system.url}/q/openapi`, { method: 'PUT' })).status).toBe(405)
  })

  it('is 503 and names the service while one cannot be asked', async () => {
    await using system = await startGateway((name) => (name === 'movie-api' ? undefined : services.get(name)?.port))
    const response = await fetch(`${system.url}/q/openapi`)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining('movie-api: not running') })
  })
})
