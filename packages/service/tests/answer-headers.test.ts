import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { answerOf, open, raw, request, start } from './raw-client.ts'
import { startApp } from './start-app.ts'

const NOSNIFF = 'X-Content-Type-Options: nosniff'
const NO_REFERRER = 'Referrer-Policy: no-referrer'

describe('decisions 3.40: every answer', () => {
  it.each([
    ['without headers', (res: ServerResponse) => res.end()],
    ['with a head of its own', (res) => res.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>')],
    ['with a phrase of its own', (res) => res.writeHead(200, 'Fine', { 'Content-Type': 'text/html' }).end('<p>')],
    ['with a raw head', (res) => res.writeHead(200, ['Content-Type', 'text/html']).end('<p>')],
    ['with headers set before', (res) => res.setHeader('X-A', 'b').writeHead(204).end()],
  ] as [string, (res: ServerResponse) => void][])(
    '%s says that its type is not to be guessed and its address not passed on',
    async (_, answer) => {
      const server = await start((_req, res) => answer(res))
      const text = await raw(server.port, request('/', 'Connection: close\r\n'))
      for (const header of [NOSNIFF, NO_REFERRER]) expect(text.split(header)).toHaveLength(2)
    },
  )

  it('also of an express app, for a path that does not exist, and for what is not HTTP', async () => {
    const { server } = await startApp((routes) => void routes.get('/', (_req, res) => void res.send('<p>')))
    for (const bytes of [
      request('/', 'Connection: close\r\n'),
      request('/none', 'Connection: close\r\n'),
      'GET / HTTP/1.1\r\n\r\n',
      'HELLO\r\n\r\n',
    ]) {
      const text = await raw(server.port, bytes)
      for (const header of [NOSNIFF, NO_REFERRER]) expect(text.split(header)).toHaveLength(2)
    }
  })

  it.each([
    ['a head', (res: ServerResponse) => res.writeHead(200, { 'referrer-policy': 'origin' }).end()],
    ['a raw head', (res) => res.writeHead(200, ['referrer-policy', 'origin']).end()],
    ['headers set before', (res) => res.setHeader('referrer-policy', 'origin').writeHead(200, {}).end()],
  ] as [string, (res: ServerResponse) => void][])('keeps what a handler says itself by %s', async (_, answer) => {
    const server = await start((_req, res) => answer(res))
    const client = open(server.port)
    client.write(request('/', 'Connection: close\r\n'))
    const text = (await answerOf(client)).answer
    expect(text.match(/referrer-policy: .*/gi)).toEqual(['referrer-policy: origin'])
  })
})
