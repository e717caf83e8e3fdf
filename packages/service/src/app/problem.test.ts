import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Logger } from '../logger.ts'
import { HttpProblem, problemHandler } from './problem.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('decisions 3.42: nobody floods the log with refused requests, nor hides those of another status', () => {
  const lines: (readonly [Record<string, unknown>, string])[] = []
  const line = (fields: Record<string, unknown>, message: string) => void lines.push([fields, message])
  const handle = problemHandler({ info: line, warn: line, error: line } as unknown as Logger)
  const refuse = (status: number) => {
    const res = { headersSent: true, destroy: () => undefined } as unknown as Parameters<typeof handle>[2]
    handle(new HttpProblem(status), { url: '/x', method: 'GET', socket: {} } as Parameters<typeof handle>[1], res)
  }
  for (let i = 0; i < 1000; i += 1) refuse(404)
  refuse(400)
  expect(lines.map(([{ status }]) => status)).toEqual([...Array<number>(50).fill(404), 400])
  // A failure has an id, which somebody may look for.
  for (let i = 0; i < 300; i += 1) refuse(500)
  expect(lines).toHaveLength(351)
  vi.advanceTimersByTime(10_000)
  expect(lines.at(-1)).toEqual([{ statuses: { '404': 950 } }, 'further requests refused'])
})
