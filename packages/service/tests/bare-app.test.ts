import type { RequestHandler } from '@taproom/http'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createBareApp, HttpProblem } from '../src/index.ts'
import { start } from './raw-client.ts'

async function ask(...routes: RequestHandler[]) {
  const { url } = await start(createBareApp({ log: pino({ level: 'silent' }), routes }), { drainMs: 8000 })
  const response = await fetch(`${url}/a`)
  return [response.status, response.headers.get('content-type'), await response.text()]
}

describe('createBareApp', () => {
  it('asks its routes in their order', async () => {
    const answer = await ask(
      (_req, res, next) => {
        res.setHeader('Content-Type', 'text/first')
        next()
      },
      (_req, res) => res.end('second'),
      (_req, res) => res.end('third'),
    )
    expect(answer).toEqual([200, 'text/first', 'second'])
  })

  it('answers what no route answers with 404 problem+json', async () => {
    const [status, type, text] = await ask((_req, _res, next) => next())
    expect([status, type]).toEqual([404, 'application/problem+json'])
    expect(text).toContain('nothing is found at /a')
  })

  it.each<[string, RequestHandler]>([
    [
      'throws',
      () => {
        throw new HttpProblem(502)
      },
    ],
    ['rejects with', () => Promise.reject(new HttpProblem(502))],
    ['passes on', (_req, _res, next) => next(new HttpProblem(502))],
  ])('answers with the problem that a route %s', async (_case, route) => {
    const [status, type] = await ask(
      (_req, _res, next) => next(),
      route,
      (_req, res) => res.end('not asked'),
    )
    expect([status, type]).toEqual([502, 'application/problem+json'])
  })
})
