import type { RequestHandler } from 'express'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { describeApi, openApiRoutes, problemResponse, renderDescription, retryAfter } from '../src/index.ts'
import { readDescription } from '../src/testing/index.ts'
import { startServer } from './start-server.ts'

const document = describeApi({
  title: 'films',
  description: 'Films.',
  paths: {
    '/films': {
      get: {
        operationId: 'films',
        summary: 'All films',
        tags: ['films'],
        responses: { '204': { description: 'none' }, '503': problemResponse('later', retryAfter()) },
      },
    },
  },
})

const routes = openApiRoutes(document)

describe('/q/openapi', () => {
  it.each<[string, Record<string, string>]>([
    ['/q/openapi', {}],
    ['/q/openapi', { accept: 'text/html' }],
    ['/q/openapi.yaml', { accept: 'application/json' }],
    ['/q/openapi.yml?format=json', {}],
  ])('%s with %j is YAML', async (path, headers) => {
    await using server = await startServer(routes)
    const response = await server.get(path, { headers })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/yaml;charset=UTF-8')
    const text = await response.text()
    expect(parse(text)).toEqual(document)
    expect(text).not.toMatch(/[&*]a\d/)
  })

  it.each<[string, Record<string, string>]>([
    ['/q/openapi', { accept: 'application/json' }],
    ['/q/openapi', { accept: 'text/html, Application/JSON;q=0.5' }],
    ['/q/openapi?format=json', {}],
    ['/q/openapi?format=JSON', { accept: 'application/yaml' }],
    ['/q/openapi.json', {}],
  ])('%s with %j is JSON', async (path, headers) => {
    await using server = await startServer(routes)
    const response = await server.get(path, { headers })
    expect(response.headers.get('content-type')).toBe('application/json;charset=UTF-8')
    expect(await response.json()).toEqual(document)
  })

  it.each([
    '/q/openapi?format=%zz',
    '/q/openapi?format=json=x',
    '/q/openapi??format=json',
    '/q/openapi?__proto__=json',
  ])('%s is YAML all the same', async (path) => {
    await using server = await startServer(routes)
    expect((await server.get(path)).headers.get('content-type')).toBe('application/yaml;charset=UTF-8')
  })

  it('is given for a target with a host or port that is none', async () => {
    const { contentType } = await renderDescription(document, { target: 'http://a:99999/q/openapi?format=json' })
    expect(contentType).toBe('application/json;charset=UTF-8')
  })

  it.each(['/q/openapi', '/q/openapi.json', '/q/openapi.yaml', '/q/openapi.yml'])(
    '%s has a route of its own, by which it is measured',
    async (path) => {
      const measured: unknown[] = []
      const measure: RequestHandler = (req, res, next) => {
        res.on('finish', () => measured.push(req.route?.path))
        next()
      }
      await using server = await startServer(measure, routes)
      for (const method of ['GET', 'POST']) await (await server.get(path, { method })).arrayBuffer()
      expect(measured).toEqual([path, path])
    },
  )

  it('decisions 1.74: HEAD is like GET without the body, other methods are 405', async () => {
    await using server = await startServer(routes)
    const head = await server.get('/q/openapi', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const post = await server.get('/q/openapi', { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect(post.headers.get('content-type')).toBe('application/problem+json')
  })
})

describe('describeApi', () => {
  it('makes valid OpenAPI 3.1, with health, metrics and the description itself beside the service’s paths', async () => {
    await expect(readDescription(document)).resolves.toBeDefined()
    expect(Object.keys(document.paths)).toEqual([
      '/films',
      '/q/health',
      '/q/health/live',
      '/q/health/ready',
      '/q/health/started',
      '/q/health/well',
      '/q/health/group/{name}',
      '/q/metrics',
      '/q/openapi',
    ])
  })

  it('decisions 1.36, 1.37: follows the health root, and has the page only where it is served', async () => {
    const paths = (health: { rootPath: string; ui: boolean }) =>
      Object.keys(describeApi({ title: 't', description: 'd', paths: {}, health }).paths)
    expect(paths({ rootPath: '/health', ui: true })).toEqual(expect.arrayContaining(['/health/live', '/q/health-ui/']))
    expect(paths({ rootPath: '/health', ui: true })).not.toContain('/q/health')
    expect(paths({ rootPath: '/', ui: false })).toEqual(expect.arrayContaining(['/', '/live']))
  })
})
