import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { answerOf, open, request, start } from './raw-client.ts'

describe('listen, slow clients', () => {
  it.each([
    ['says nothing', ''],
    ['does not end its headers', 'GET / HTTP/1.1\r\nHost: a\r\n'],
    ['does not end its body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n1'],
  ])('one that %s gets 408', async (_, bytes) => {
    const server = await start((req) => void req.resume(), { headersTimeoutMs: 40, requestTimeoutMs: 40, lingerMs: 40 })
    const client = open(server.port)
    client.write(bytes)
    expect((await answerOf(client)).answer).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('one that sends no other request is let go', async () => {
    const server = await start((_, res) => void res.end('ok'), { keepAliveTimeoutMs: 1 })
    const client = open(server.port)
    client.write(request('/'))
    expect(await answerOf(client)).toEqual({ answer: expect.stringMatching(/ok$/), error: undefined })
  })

  it('one that takes nothing of its answer is let go, one that waits for more is not', async () => {
    const left: string[] = []
    let stream: ServerResponse | undefined
    const gone = Promise.withResolvers<void>()
    const server = await start(
      (req, res) => {
        res.on('close', () => {
          left.push(req.url ?? '')
          gone.resolve()
        })
        if (req.url === '/large') res.write(Buffer.alloc(50_000_000))
        else stream = res.writeHead(200, { 'content-type': 'text/event-stream' })
        stream?.flushHeaders()
      },
      { writeTimeoutMs: 100 },
    )
    const waiting = open(server.port)
    waiting.write(request('/stream'))
    await once(waiting, 'data')
    const slow = open(server.port)
    slow.on('error', () => {})
    slow.pause()
    slow.write(request('/large'))
    await gone.promise
    expect(left).toEqual(['/large'])
    stream?.write('data: 1\n\n')
    expect(String(await once(waiting, 'data'))).toContain('data: 1')
  })

  it('connections beyond the limit are closed as they come', async () => {
    const server = await start((_, res) => void res.end('ok'), { maxConnections: 1 })
    const first = open(server.port)
    first.write(request('/'))
    await once(first, 'data')
    const second = open(server.port)
    second.write(request('/'))
    expect((await answerOf(second)).answer).toBe('')
    first.write(request('/'))
    expect(String(await once(first, 'data'))).toContain('ok')
  })
})
