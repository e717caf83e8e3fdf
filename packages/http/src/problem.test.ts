import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { methodNotAllowed, problemAnswer, sendProblem } from './index.ts'

const opened: AsyncDisposable[] = []
afterEach(async () => {
  for (const resource of opened.splice(0)) await resource[Symbol.asyncDispose]()
})

async function start(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  opened.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('sendProblem', () => {
  it('RFC 9457: answers with type, title, status, detail and members, for no cache to keep', async () => {
    const url = await start((_, res) => sendProblem(res, { status: 409, detail: 'taken', members: { by: 'duke' } }))
    const response = await fetch(url)
    expect(response.status).toBe(409)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/problem+json',
      'x-content-type-options': 'nosniff',
    })
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Conflict',
      status: 409,
      detail: 'taken',
      by: 'duke',
    })
  })

  it('has the phrase of its own status, whatever a handler that failed has set', async () => {
    const url = await start((_, res) => {
      res.statusMessage = 'Fine'
      sendProblem(res, { status: 500 })
    })
    expect((await fetch(url)).statusText).toBe('Internal Server Error')
  })

  it('replaces headers that were set before, however they are spelled', async () => {
    const url = await start((_, res) => {
      res.setHeader('cache-control', 'max-age=60')
      res.setHeader('content-type', 'text/html')
      sendProblem(res, { status: 503, headers: { 'retry-after': '1', 'Retry-After': '2' } })
    })
    const { headers } = await fetch(url)
    expect([headers.get('cache-control'), headers.get('content-type'), headers.get('retry-after')]).toEqual([
      'no-store',
      'application/problem+json',
      '2',
    ])
  })

  it('answers HEAD without a body, whose length it tells', async () => {
    const url = await start((_, res) => sendProblem(res, { status: 404 }))
    const response = await fetch(url, { method: 'HEAD' })
    expect(await response.text()).toBe('')
    expect(Number(response.headers.get('content-length'))).toBe(Buffer.byteLength(problemAnswer({ status: 404 }).body))
  })
})

describe('problemAnswer', () => {
  it('escapes hidden characters, and says what the title of an unknown status is', () => {
    const { body } = problemAnswer({ status: 599, detail: 'a\u202eb' })
    expect(body).toContain('a\\u202eb')
    expect(JSON.parse(body)).toEqual({ type: 'about:blank', title: 'Error', status: 599, detail: 'a\u202eb' })
  })
})

describe('methodNotAllowed', () => {
  it('answers 405 with the methods in Allow and in words', async () => {
    const url = await start(methodNotAllowed('GET', 'HEAD'))
    const response = await fetch(url, { method: 'PUT' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect(await response.json()).toMatchObject({ detail: 'PUT is not allowed here; allowed: GET, HEAD' })
  })
})
