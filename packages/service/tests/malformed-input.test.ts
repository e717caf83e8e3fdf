import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { answerOf, open, request, start } from './raw-client.ts'

describe('listen, malformed input', () => {
  it('behind whole requests is refused after their answers', async () => {
    const server = await start(async (_, res) => {
      await new Promise((resolve) => setImmediate(resolve))
      res.end('ok')
    })
    const client = open(server.port)
    client.write(`${request('/').repeat(3)}nonsense\r\n\r\n`)
    const { answer } = await answerOf(client)
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual([...Array(3).fill('HTTP/1.1 200'), 'HTTP/1.1 400'])
  })

  it.each([
    ['a chunk that has no size', 'zz\r\n'],
    ['a trailer that says where the body ends', '0\r\nContent-Length: 5\r\n\r\n'],
    ['a bare line feed between chunks', '3\nabc\n0\n\n'],
  ])('in a body is refused while its handler waits for the rest: %s', async (_, bytes) => {
    const broken = Promise.withResolvers<void>()
    const server = await start((req) => {
      text(req).catch(() => broken.resolve())
    })
    const client = open(server.port)
    client.write(`POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${bytes}`)
    const { answer, error } = await answerOf(client)
    expect(error).toBeUndefined()
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('application/problem+json')
    await broken.promise
  })
})
