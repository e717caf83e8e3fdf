import type { HttpServer } from '@taproom/service'
import { readSse } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LogCounts, LogLine } from '../src/api/services.ts'
import { logRoutes } from '../src/logs/log-routes.ts'
import { createLogStore } from '../src/logs/log-store.ts'
import { ask, BEARER, openConsole } from './fixtures/console.ts'

const logs = createLogStore()
let server: HttpServer
beforeAll(async () => {
  for (let id = 1; id <= 100; id += 1)
    add(id, { level: id % 10 === 0 ? 'error' : 'info', status: id % 10 === 0 ? 500 : 200 })
  server = await openConsole(logRoutes(logs))
})
afterAll(() => server[Symbol.asyncDispose]())

function add(id: number, fields: object): void {
  logs.add(id, JSON.stringify({ time: id * 1000, service: 'orders', msg: `line ${id}`, ...fields }))
}

async function get<T>(path: string): Promise<T> {
  return JSON.parse((await ask(server, 'GET', path)).body) as T
}

describe('GET /api/logs', () => {
  it('keeps and excludes lines by fields and time', async () => {
    const idsOf = async (query: string) =>
      (await get<{ items: LogLine[] }>(`/api/logs?${query}`)).items.map(({ id }) => id)
    expect(await idsOf('field=status%3D500&from=20000&to=50000')).toEqual([20, 30, 40])
    expect(await idsOf('exclude=status%3D200&limit=2')).toEqual([90, 100])
    expect(await idsOf('field=status%3D500&exclude=msg%3Dline+100&before=90')).toEqual([10, 20, 30, 40, 50, 60, 70, 80])
  })

  it('is live with the same filter', async () => {
    const events = readSse(`${server.url}/api/logs?field=status%3D418`, { headers: BEARER })
    expect(JSON.parse((await events.next()).value?.data ?? '')).toEqual({ items: [] })
    const next = events.next()
    add(101, { status: 200 })
    add(102, { status: 418 })
    const { value } = await next
    expect(JSON.parse(value?.data ?? '').items).toMatchObject([{ id: 102, fields: { status: 418 } }])
    await events.return?.(undefined)
  })

  it.each(['/api/logs?field=status', '/api/logs/counts?from=x', '/api/logs/counts?intervals=0'])(
    'refuses %s with the name of the parameter',
    async (path) => {
      const { status, body } = await ask(server, 'GET', path)
      expect(status).toBe(400)
      expect(JSON.parse(body).detail).toMatch(/^(?:field|from|intervals) /)
    },
  )
})

describe('GET /api/logs/counts (decisions 3.161)', () => {
  it('counts all lines that fit, by level and time', async () => {
    const { stepMs, items } = await get<LogCounts>('/api/logs/counts?from=0&to=100000&intervals=10')
    expect(stepMs).toBe(10_000)
    expect(items).toHaveLength(10)
    expect(items[0]).toEqual({ time: 0, trace: 0, debug: 0, info: 9, warn: 0, error: 0, fatal: 0 })
    expect(items[1]).toMatchObject({ time: 10_000, info: 9, error: 1 })
    const failed = await get<LogCounts>('/api/logs/counts?level=error&field=status%3D500&from=95000')
    expect(failed.items).toHaveLength(1)
    expect(failed.items[0]).toMatchObject({ time: 100_000, error: 1 })
  })
})
