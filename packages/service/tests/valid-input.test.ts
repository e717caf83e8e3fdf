import { sendJson } from '@taproom/http'
import express, { type Router } from 'express'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { invalidInput, validBody, validParams, validQuery } from '../src/index.ts'
import { startApp } from './start-app.ts'

const order = z.strictObject({
  name: z.string().min(1),
  items: z.array(z.object({ 'a/b~c é': z.int() })).default([]),
})
interface Tree {
  readonly of?: Tree | undefined
}
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ of: tree.optional() }))
const page = z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) })

function routes(router: Router) {
  router.post('/orders', express.json({ limit: '16kb' }), (req, res) => sendJson(res, 201, validBody(req, order)))
  router.get('/orders', (req, res) => sendJson(res, 200, validQuery(req, page)))
  router.get('/orders/:id', (req, res) => {
    sendJson(res, 200, validParams(req, z.object({ id: z.coerce.number().int() })))
  })
  router.get('/slow', (req, res) => {
    sendJson(res, 200, validQuery(req, z.object({ a: z.string().refine(async () => true) })))
  })
  router.get('/thrown', (req, res) => {
    sendJson(res, 200, validQuery(req, z.object({ a: z.string().transform((text) => JSON.parse(text)) })))
  })
  router.post('/trees', express.json({ limit: '16kb' }), (req, res) => sendJson(res, 201, validBody(req, tree)))
  router.post('/numbers', express.json({ limit: '16kb' }), (req, res) => {
    sendJson(res, 201, validBody(req, z.record(z.string(), z.array(z.number()))))
  })
  router.get('/menu', () => {
    throw invalidInput('query', [{ parameter: 'beer', detail: 'expected a beer of the menu' }])
  })
  router.post('/unread', (req, res) => sendJson(res, 201, validBody(req, order)))
}

describe('valid input', () => {
  let app: Awaited<ReturnType<typeof startApp>>
  beforeEach(async () => {
    app = await startApp(routes)
  })

  const post = (body: string, type = 'application/json', path = '/orders') => {
    return fetch(`${app.url}${path}`, { method: 'POST', headers: { 'Content-Type': type }, body })
  }

  it('is what the schema makes of it', async () => {
    expect(await (await post('{"name":"a"}')).json()).toEqual({ name: 'a', items: [] })
    expect(await (await fetch(`${app.url}/orders?limit=7&utm=x`)).json()).toEqual({ limit: 7 })
    expect(await (await fetch(`${app.url}/orders`)).json()).toEqual({ limit: 20 })
    expect(await (await fetch(`${app.url}/orders/5`)).json()).toEqual({ id: 5 })
  })

  it.each([
    ['a field that is missing', '{}', '#/name', 'expected string'],
    [
      'a field inside of a list',
      '{"name":"a","items":[{"a/b~c é":"x"}]}',
      '#/items/0/a~1b~0c%20%C3%A9',
      'expected number',
    ],
    ['a field that is not known', '{"name":"a","nam":1}', '#', '"nam"'],
    ['a list in place of an object', '[]', '#', 'expected object'],
    ['a body of no bytes, which is an empty object,', '', '#/name', 'expected string'],
  ])('RFC 9457 3: refuses %s by its pointer', async (_case, body, pointer, detail) => {
    const response = await post(body)
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toMatchObject({
      detail: 'the body is invalid: see errors',
      errors: [{ pointer, detail: expect.stringContaining(detail) }],
    })
  })

  it('refuses a request without a body with 400', () => {
    const refusal = { status: 400, members: { errors: [{ pointer: '#', detail: 'expected a body of JSON' }] } }
    expect(() => validBody({ body: undefined, is: () => null }, order)).toThrow(expect.objectContaining(refusal))
  })

  it('refuses a body of another type with 415', async () => {
    expect((await post('name=a', 'application/x-www-form-urlencoded')).status).toBe(415)
  })

  it.each([
    ['/orders?limit=0', 'the query is invalid: see errors', 'limit'],
    ['/orders?limit=1&limit=2', 'the query is invalid: see errors', 'limit'],
    ['/orders/x', 'the path is invalid: see errors', 'id'],
  ])('refuses %s by the name of its parameter', async (path, detail, parameter) => {
    const response = await fetch(`${app.url}${path}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ detail, errors: [{ parameter, detail: expect.any(String) }] })
  })

  it('names at most 20 errors, with 300 characters each', async () => {
    const items = JSON.stringify(Array.from({ length: 100 }, () => ({})))
    const many = (await (await post(`{"name":"a","items":${items}}`)).json()) as { errors: readonly object[] }
    expect(many.errors).toHaveLength(20)
    const long = (await (await post(`{"name":"a","${'x'.repeat(1000)}":1}`)).json()) as { errors: [{ detail: string }] }
    expect(long.errors[0].detail).toMatch(/^Unrecognized key: "x{281}… \(720 more characters\)$/)
  })

  it('points at a parent when a name is too long, so that an answer is not many times its request', async () => {
    const response = await post(`{"${'é'.repeat(100)}":[["a"]]}`, undefined, '/numbers')
    expect(await response.json()).toMatchObject({ errors: [{ pointer: '#' }] })
  })

  it('shows control characters of a caller escaped', async () => {
    const { errors } = (await (await post('{"name":"a","\\u001b[2J":1}')).json()) as { errors: [{ detail: string }] }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the character is looked for
    expect(errors[0].detail).not.toMatch(/\u001b/)
  })

  it('takes 500 levels for a schema of itself, and refuses more', async () => {
    const nested = (levels: number) => `${'{"of":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`
    expect((await post(nested(500), undefined, '/trees')).status).toBe(201)
    for (const levels of [501, 2000]) {
      const response = await post(nested(levels), undefined, '/trees')
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ errors: [{ pointer: '#', detail: 'expected at most 500 levels' }] })
    }
  })

  it.each([
    ['a schema that is asynchronous', '/slow?a=b', 'the schema is asynchronous'],
    ['a schema that throws, which zod makes asynchronous', '/thrown?a=b', 'a transform of it throws'],
  ])('%s is a defect of the service, and does not end it', async (_case, path, message) => {
    expect((await fetch(`${app.url}${path}`)).status).toBe(500)
    expect(JSON.stringify(app.lines)).toContain(message)
    expect((await fetch(`${app.url}/orders/5`)).status).toBe(200)
  })

  it('is what a rule of the service’s own says, too', async () => {
    const response = await fetch(`${app.url}/menu`)
    expect(response.status).toBe(400)
    const errors = [{ parameter: 'beer', detail: 'expected a beer of the menu' }]
    expect(await response.json()).toMatchObject({ detail: 'the query is invalid: see errors', errors })
  })

  it('a route without express.json is a defect of the service', async () => {
    expect((await post('{"name":"a"}', undefined, '/unread')).status).toBe(500)
    expect(JSON.stringify(app.lines)).toContain('express.json is missing')
  })
})
