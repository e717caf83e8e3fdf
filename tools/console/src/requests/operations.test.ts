import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { operationsOf, readOperations } from './operations.ts'

const node = {
  type: 'object',
  properties: { value: { $ref: '#/components/schemas/Value~1s' }, next: { $ref: '#/components/schemas/Node' } },
}

describe('operationsOf', () => {
  it('has references replaced, also those in a circle and those that lead nowhere', () => {
    const [operation] = operationsOf({
      paths: {
        '/nodes/{id}': {
          parameters: [
            { $ref: '#/components/parameters/Id' },
            { name: 'depth', in: 'query', schema: { $ref: '#/nowhere' } },
            { name: 'session', in: 'cookie' },
          ],
          put: {
            summary: 'Replaces it',
            security: [{ bearer: [] }],
            parameters: [{ name: 'depth', in: 'query', description: 'How deep', schema: { type: 'integer' } }],
            requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } } },
          },
        },
      },
      components: {
        parameters: { Id: { name: 'id', in: 'path', schema: { type: 'string', example: '7' } } },
        schemas: { Node: node, 'Value/s': { type: 'string', enum: ['a'] } },
      },
    })
    expect(operation).toEqual({
      method: 'PUT',
      path: '/nodes/{id}',
      summary: 'Replaces it',
      isProtected: true,
      streams: false,
      parameters: [
        { name: 'id', in: 'path', isRequired: true, schema: { type: 'string', example: '7' }, example: '7' },
        { name: 'depth', in: 'query', isRequired: false, description: 'How deep', schema: { type: 'integer' } },
      ],
      body: {
        mediaType: 'application/json',
        schema: { type: 'object', properties: { value: { type: 'string', enum: ['a'] }, next: {} } },
      },
    })
  })

  it('is protected unless it can be called without', () => {
    const operation = (security: object[]) => ({ paths: { '/': { get: { security } } } })
    expect(operationsOf(operation([{ bearer: [] }]))[0]?.isProtected).toBe(true)
    expect(operationsOf(operation([{ bearer: [] }, {}]))[0]?.isProtected).toBe(false)
    expect(operationsOf({ ...operation([]), security: [{ bearer: [] }] })[0]?.isProtected).toBe(false)
  })

  it('takes references that multiply in bounded steps', () => {
    const schemas: Record<string, object> = { S0: { type: 'string' } }
    for (let level = 1; level <= 40; level += 1) {
      const ref = { $ref: `#/components/schemas/S${level - 1}` }
      schemas[`S${level}`] = { properties: { a: ref, b: ref, c: ref, d: ref } }
    }
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/S40' } } }
    const operations = operationsOf({ paths: { '/': { post: { requestBody: { content } } } }, components: { schemas } })
    expect(JSON.stringify(operations).length).toBeLessThan(20_000_000)
  })
})

describe('reading them', () => {
  it('is in no trace, because the console asks for them by itself', async () => {
    let traceparent: unknown
    const gateway = createServer((request, response) => {
      traceparent = request.headers['traceparent']
      response.end('{"paths":{}}')
    })
    await once(gateway.listen(0, '127.0.0.1'), 'listening')
    const { port } = gateway.address() as AddressInfo
    expect(await readOperations(`http://127.0.0.1:${port}`, AbortSignal.timeout(5000))).toEqual([])
    expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
    gateway.close()
  })
})
