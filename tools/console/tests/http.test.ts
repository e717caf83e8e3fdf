import { sendJson } from '@taproom/http'
import type { HttpServer } from '@taproom/service'
import { HttpProblem } from '@taproom/service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readJson } from '../src/http/body.ts'
import type { Routes } from '../src/http/route.ts'
import { createRouter } from '../src/http/router.ts'
import { ask, BEARER, openConsole } from './fixtures/console.ts'

const routes: Routes = {
  'GET /api/things': ({ query, response }) => sendJson(response, 200, { all: true, type: query.get('type') }),
  'GET /api/things/first': ({ response }) => sendJson(response, 200, { isFirst: true }),
  'GET /api/things/{name}': ({ params, response }) => sendJson(response, 200, params),
  'PUT /api/things/{name}': async (asked) => sendJson(asked.response, 200, await readJson(asked, 100)),
  'POST /v1/traces': ({ request, response }) => {
    request.resume()
    sendJson(response, 200, {})
  },
  'GET /api/refused': () => {
    throw new HttpProblem(409, { detail: 'not now' })
  },
  'GET /api/broken': async () => {
    throw new Error('the inside of the console')
  },
}
const page = (path: string) =>
  path === '/' ? { type: 'text/html; charset=UTF-8', content: Buffer.from('<!doctype html>') } : undefined
const STRANGER = { authorization: '' }
const JSON_TYPE = { 'content-type': 'application/json' }
let console: HttpServer
beforeAll(async () => {
  console = await openConsole(routes, page)
})
afterAll(() => console[Symbol.asyncDispose]())

const problem = ({ body }: { readonly body: string }) => JSON.parse(body) as { status: number; detail?: string }

describe('routes of the console', () => {
  it('take a path by its parts, decoded, the exact one first', async () => {
    expect(JSON.parse((await ask(console, 'GET', '/api/things?type=a%20b')).body)).toEqual({ all: true, type: 'a b' })
    expect(JSON.parse((await ask(console, 'GET', '/api/things/first')).body)).toEqual({ isFirst: true })
    expect(JSON.parse((await ask(console, 'GET', '/api/things/a%2Fb%C3%A4')).body)).toEqual({ name: 'a/bä' })
  })

  it.each(['/api/things/', '/api', '/api/things/a/b', '/api/Things'])('%s is 404, as a problem', async (path) => {
    const answer = await ask(console, 'GET', path)
    expect(answer).toMatchObject({ status: 404, headers: { 'content-type': 'application/problem+json' } })
    expect(problem(answer).detail).toContain(path)
  })

  it('answer another method with 405 and what is allowed', async () => {
    const answer = await ask(console, 'DELETE', '/api/things/a', { headers: BEARER })
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, PUT' } })
    expect(problem(answer).status).toBe(405)
  })

  it('answer HEAD as GET, without a body', async () => {
    expect(await ask(console, 'HEAD', '/api/things')).toMatchObject({ status: 200, body: '' })
  })

  it('refuse a part that is no UTF-8', async () => {
    expect(await ask(console, 'GET', '/api/things/%ff')).toMatchObject({ status: 400 })
  })

  it('become problems when they throw: a mistake of the caller with its words, a defect without', async () => {
    expect(problem(await ask(console, 'GET', '/api/refused'))).toMatchObject({ status: 409, detail: 'not now' })
    const defect = await ask(console, 'GET', '/api/broken')
    expect(defect.status).toBe(500)
    expect(defect.body).not.toContain('inside')
  })

  it('cannot be written twice or without a method', () => {
    const { signal } = new AbortController()
    const twice = { 'GET /a/{x}': () => undefined, 'GET /a/{y}': () => undefined }
    expect(() => createRouter(twice, signal)).toThrow('route "GET /a/{y}"')
    expect(() => createRouter({ '/a': () => undefined }, signal)).toThrow('expected a method and a path')
  })
})

describe('who may ask the console', () => {
  it.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])('%s with the right port is served', async (name) => {
    const headers = { host: `${name}:${console.port}` }
    expect((await ask(console, 'GET', '/api/things', { headers })).status).toBe(200)
  })

  it.each(['localhost', 'localhost:1', 'taproom.example', '127.0.0.1.evil.example'])('Host %s is 421', async (host) => {
    expect((await ask(console, 'GET', '/api/things', { headers: { host } })).status).toBe(421)
    expect((await ask(console, 'GET', '/', { headers: { host } })).status).toBe(421)
  })

  it('a page of another origin gets nothing, but its links can be followed', async () => {
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }
      expect((await ask(console, 'GET', '/api/things', { headers })).status).toBe(403)
      expect((await ask(console, 'POST', '/v1/traces', { headers })).status).toBe(403)
      expect((await ask(console, 'DELETE', '/api/things/a', { headers })).status).toBe(403)
      const link = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
      expect((await ask(console, 'GET', '/', { headers: link })).status).toBe(200)
      const frame = { ...link, 'sec-fetch-dest': 'iframe' }
      expect((await ask(console, 'GET', '/', { headers: frame })).status).toBe(403)
      expect((await ask(console, 'POST', '/', { headers: { ...link, ...BEARER } })).status).toBe(403)
    }
    for (const site of ['same-origin', 'none']) {
      const headers = { 'sec-fetch-site': site }
      expect((await ask(console, 'GET', '/api/things', { headers })).status).toBe(200)
    }
  })

  it('a page of another origin is known by its Origin, where a browser says no more', async () => {
    for (const origin of ['http://evil.example', 'http://localhost:1', 'null']) {
      const headers = { origin, 'content-type': 'text/plain' }
      const answer = await ask(console, 'POST', '/v1/traces', { headers, body: '{}' })
      expect(answer).toMatchObject({ status: 403, headers: { 'content-type': 'application/problem+json' } })
      expect(problem(answer).detail).toContain('another origin')
    }
  })

  it('decisions 3.115: what changes something needs the secret, and spans do not', async () => {
    const body = '{"a":1}'
    for (const authorization of ['', 'Bearer', `${BEARER.authorization}x`, BEARER.authorization.slice(0, -1)]) {
      const headers = { ...JSON_TYPE, authorization }
      const answer = await ask(console, 'PUT', '/api/things/a', { headers, body })
      expect(answer.status).toBe(401)
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer/)
    }
    expect((await ask(console, 'DELETE', '/nowhere', { headers: STRANGER })).status).toBe(401)
    const good = await ask(console, 'PUT', '/api/things/a', { headers: { ...JSON_TYPE, ...BEARER }, body })
    expect(good).toMatchObject({ status: 200, body })
    expect((await ask(console, 'POST', '/v1/traces', { headers: STRANGER, body: '{}' })).status).toBe(200)
  })

  it('decisions 3.115: reading needs the secret, but for the page itself', async () => {
    for (const path of ['/api/things', '/api/things/a', '/api/nothing']) {
      for (const method of ['GET', 'HEAD']) {
        expect((await ask(console, method, path, { headers: STRANGER })).status).toBe(401)
      }
    }
    expect((await fetch(`${console.url}/api/things`)).status).toBe(401)
    expect((await ask(console, 'GET', '/', { headers: STRANGER })).status).toBe(200)
  })

  it('no answer names another origin that may read it, and each has the strict policy', async () => {
    for (const path of ['/', '/api/things', '/api/nothing']) {
      const { headers } = await ask(console, 'GET', path, { headers: { origin: 'http://localhost:8080' } })
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      })
      const policy = headers['content-security-policy'] ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe|https?:|\*/)
    }
    expect((await ask(console, 'OPTIONS', '/api/things', { headers: STRANGER })).status).toBe(401)
  })
})

describe('a body sent to the console', () => {
  const put = (body: string, type = 'application/json') =>
    ask(console, 'PUT', '/api/things/a', { headers: { ...BEARER, 'content-type': type }, body })

  it.each([
    ['longer than the limit', JSON.stringify({ a: 'x'.repeat(100) }), 413],
    ['no JSON', '{', 400],
    ['no object', '[1]', 400],
    ['nested too deep', `{"a":${'['.repeat(90)}`, 400],
  ])('that is %s is refused', async (_what, body, status) => {
    expect((await put(body)).status).toBe(status)
  })

  it('that says to be something else than JSON is refused', async () => {
    expect((await put('{}', 'text/plain')).status).toBe(415)
    expect((await put('{}', 'application/json; charset=utf-8')).status).toBe(200)
  })
})
