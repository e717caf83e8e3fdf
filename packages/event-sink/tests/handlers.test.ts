import { createHealth } from '@taproom/health'
import { createLogger, listen } from '@taproom/service'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createApp } from '../src/app.ts'
import { type EventHandlers, validData } from '../src/index.ts'

const orderSchema = z.object({ beer: z.string().min(1), glasses: z.coerce.number().default(1) })

async function startSink(on: EventHandlers) {
  const log = createLogger('ledger-sink', { level: 'silent' })
  const app = createApp({ sink: 'ledger', on, health: createHealth(), healthRoutes: { rootPath: '/q/health' }, log })
  return await listen(app, { host: '127.0.0.1', port: 0 })
}

async function post(url: string, type: string, body?: string): Promise<Response> {
  const headers = { 'Ce-Id': '7', 'Ce-Source': '/shop', 'Ce-Type': type, 'Ce-Specversion': '1.0' }
  const content = body !== undefined && { body, headers: { ...headers, 'Content-Type': 'application/json' } }
  return await fetch(url, { method: 'POST', headers, ...content })
}

describe('a sink with code', () => {
  it('decisions 1.53: gives a handler the event of its type, with the data that the schema makes of it', async () => {
    const orders: unknown[] = []
    await using sink = await startSink({
      'order.placed': validData(orderSchema, ({ id, source, data: { beer, glasses } }) => {
        orders.push([id, source, beer.toUpperCase(), glasses + 1])
      }),
    })
    const response = await post(sink.url, 'order.placed', '{"beer":"pils","glasses":"2"}')
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(orders).toEqual([['7', '/shop', 'PILS', 3]])
  })

  it('decisions 1.53: answers with the event that a handler returns', async () => {
    await using sink = await startSink({
      'order.placed': validData(orderSchema, async ({ id, data: { beer } }) => {
        return { specversion: '1.0', id: `${id}-paid`, source: '/ledger', type: 'order.paid', data: { beer } }
      }),
    })
    const response = await post(sink.url, 'order.placed', '{"beer":"pils"}')
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'ce-id': '7-paid', 'ce-type': 'order.paid' })
    expect(await response.json()).toEqual({ beer: 'pils' })
  })

  it.each([
    ['{"beer":""}', [{ pointer: '#/beer', detail: expect.stringContaining('>=1') }]],
    ['{}', [{ pointer: '#/beer', detail: expect.stringContaining('expected string') }]],
    [undefined, [{ pointer: '#', detail: expect.stringContaining('expected object') }]],
  ])('decisions 1.53: refuses the data %s with 400 that names the field', async (body, errors) => {
    await using sink = await startSink({ 'order.placed': validData(orderSchema, () => expect.unreachable()) })
    const response = await post(sink.url, 'order.placed', body)
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toMatchObject({ detail: 'the data is invalid: see errors', errors })
  })

  it('decisions 1.53: refuses data that is not JSON, whatever its content type', async () => {
    await using sink = await startSink({ 'order.placed': validData(orderSchema, () => expect.unreachable()) })
    const headers = { 'Ce-Id': '7', 'Ce-Source': '/shop', 'Ce-Type': 'order.placed', 'Ce-Specversion': '1.0' }
    for (const body of ['{"beer"', Buffer.from([0xff, 0]), `${'['.repeat(600)}${']'.repeat(600)}`]) {
      const response = await fetch(sink.url, {
        method: 'POST',
        body,
        headers: { ...headers, 'Content-Type': 'text/x' },
      })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({
        detail: 'the data is invalid: see errors',
        errors: [{ pointer: '#', detail: expect.any(String) }],
      })
    }
  })

  it.each(['order.paid', 'constructor', '__proto__', 'toString'])(
    'decisions 1.53: refuses an event of the type %s, which has no handler, with 400: it is not sent again',
    async (type) => {
      await using sink = await startSink({ 'order.placed': () => {} })
      const response = await post(sink.url, type, '{}')
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ code: 'EVENT_TYPE_UNEXPECTED', attribute: 'type' })
    },
  )

  it('takes events of all other types with the handler for *', async () => {
    const types: string[] = []
    await using sink = await startSink({ 'order.placed': () => {}, '*': ({ type }) => void types.push(type) })
    for (const type of ['order.placed', 'order.paid', 'constructor']) {
      expect((await post(sink.url, type, '{}')).status).toBe(200)
    }
    expect(types).toEqual(['order.paid', 'constructor'])
  })

  it('decisions 1.53: answers 500 when a handler fails: the event is sent again', async () => {
    await using sink = await startSink({
      'order.placed': async () => {
        throw new Error('the database is away')
      },
    })
    const response = await post(sink.url, 'order.placed', '{}')
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('database')
  })
})
