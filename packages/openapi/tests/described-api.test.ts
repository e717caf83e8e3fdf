import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { AnswerMismatch, type DescribedApi, readDescription } from '../src/testing/index.ts'

const problem = { type: 'object', required: ['status'], properties: { status: { type: 'integer' } } }
const film = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } }
const json = (schema: object) => ({ 'application/json': { schema } })

const document = {
  openapi: '3.1.1',
  info: { title: 'films', version: '1.0.0' },
  paths: {
    '/films/{id}': {
      get: {
        operationId: 'film',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          '200': { description: 'a film', content: json({ $ref: '#/components/schemas/Film' }) },
          '204': { description: 'nothing' },
          '503': {
            description: 'later',
            headers: { 'Retry-After': { required: true, schema: { type: 'integer' } } },
            content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
          },
        },
      },
    },
  },
  components: { schemas: { Film: film, Problem: problem } },
}

type Sent = readonly [status: number, headers: Record<string, string>, body?: string]

const reading = readDescription(document)

async function asked(api: DescribedApi, sent: Sent, path: string, init: RequestInit = {}): Promise<Response> {
  await using server = createServer((_req, res) => void res.writeHead(sent[0], sent[1]).end(sent[2]))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return await api.fetch(`http://127.0.0.1:${port}${path}`, { headers: { Connection: 'close' }, ...init })
}

async function ask(sent: Sent, path = '/films/1', init: RequestInit = {}, described = reading): Promise<Response> {
  return await asked(await described, sent, path, init)
}

const asJson = { 'content-type': 'application/json; charset=utf-8' }
const asProblem = { 'content-type': 'application/problem+json' }

describe('an answer that is described', () => {
  it.each<[string, Sent]>([
    ['of the described type and shape', [200, asJson, '{"title":"a"}']],
    ['without a body', [204, {}]],
    ['with its header', [503, { ...asProblem, 'retry-after': '1' }, '{"status":503}']],
  ])('%s is handed on', async (_name, sent) => {
    const response = await ask(sent)
    expect([response.status, await response.text()]).toEqual([sent[0], sent[2] ?? ''])
  })

  it('may be 405 for a method and 404 for a path that are not', async () => {
    const post = await ask([405, { ...asProblem, allow: 'GET, HEAD' }, '{"status":405}'], '/films/1', {
      method: 'POST',
    })
    expect(post.status).toBe(405)
    expect((await ask([404, asProblem, '{"status":404}'], '/other')).status).toBe(404)
  })
})

describe('an answer that is not described', () => {
  it.each<[string, Sent, RequestInit?, string?]>([
    ['status', [201, asJson, '{"title":"a"}']],
    ['type', [200, { 'content-type': 'text/html' }, '{"title":"a"}']],
    ['body', [200, asJson, '{"title":1}']],
    ['text in place of JSON', [200, asJson, '{']],
    ['body where there is none', [204, { 'content-type': 'text/plain' }]],
    ['lack of a header', [503, asProblem, '{"status":503}']],
    ['problem', [503, { ...asProblem, 'retry-after': '1' }, '{"status":"no"}']],
    ['success of a method', [200, asJson, '{"title":"a"}'], { method: 'DELETE' }],
    ['method in Allow', [405, { ...asProblem, allow: 'GET, HEAD, PUT' }, '{"status":405}'], { method: 'POST' }],
    ['path', [200, asJson, '{"title":"a"}'], {}, '/other'],
  ])('by its %s fails', async (_name, sent, init, path) => {
    await expect(ask(sent, path, init)).rejects.toBeInstanceOf(AnswerMismatch)
  })
})

describe('readDescription', () => {
  it('reads no more than four million characters of an answer', async () => {
    const film = JSON.stringify({ title: 'a'.repeat(5_000_000) })
    await expect(ask([200, asJson, film])).rejects.toThrow('the answer has more than')
  })

  it('refuses what is no valid OpenAPI 3.1', async () => {
    await expect(readDescription({ ...document, info: {} })).rejects.toThrow('no valid OpenAPI')
    await expect(readDescription({ ...document, openapi: '3.0.3' })).rejects.toThrow()
    await expect(readDescription({ ...document, paths: undefined })).rejects.toThrow('no paths are described')
  })

  it('refuses operations of one name', async () => {
    const paths = { ...document.paths, '/again/{id}': document.paths['/films/{id}'] }
    await expect(readDescription({ ...document, paths })).rejects.toThrow('film')
  })

  it('tells which described answers have not been seen', async () => {
    const api = await readDescription(document)
    await asked(api, [204, {}], '/films/1')
    expect(api.unseen()).toEqual(['GET /films/{id} 200', 'GET /films/{id} 503'])
  })

  it('checks a value by the name of its schema', async () => {
    const api = await readDescription(document)
    expect(() => api.expectValid('Film', { title: 'a' })).not.toThrow()
    expect(() => api.expectValid('Film', {})).toThrow(AnswerMismatch)
  })
})

describe('decisions 3.112: a body that a service takes', () => {
  const paths = {
    '/films': {
      post: {
        operationId: 'addFilm',
        requestBody: { required: true, content: json({ $ref: '#/components/schemas/Film' }) },
        responses: { '201': { description: 'added' }, '400': { description: 'no film' } },
      },
      delete: { operationId: 'forget', responses: { '201': { description: 'gone' } } },
    },
  }
  const send = (status: number, init: RequestInit) =>
    ask([status, {}], '/films', { method: 'POST', ...init }, readDescription({ ...document, paths }))
  const headers = asJson

  it('fits its description', async () => {
    expect((await send(201, { headers, body: '{"title":"a"}' })).status).toBe(201)
  })

  it('may be anything where it is refused', async () => {
    for (const init of [{}, { headers, body: '{' }, { body: 'text' }]) expect((await send(400, init)).status).toBe(400)
  })

  it.each<[string, RequestInit]>([
    ['is of another shape', { headers, body: '{"title":1}' }],
    ['is of another type', { headers: { 'content-type': 'text/plain' }, body: '{"title":"a"}' }],
    ['is not JSON', { headers, body: '{' }],
    ['is missing', {}],
    ['is not described at all', { headers, body: '{}', method: 'DELETE' }],
  ])('is an error when it %s', async (_name, init) => {
    await expect(send(201, init)).rejects.toThrow(AnswerMismatch)
  })
})
