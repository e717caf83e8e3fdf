import type { RequestListener, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { answerOf, open, request, start, untilStuck } from './raw-client.ts'

describe('listen, pipelined requests', () => {
  it('are handled one after another and answered in their order', async () => {
    let underWay = 0
    const most: number[] = []
    const inTurn: RequestListener = async (req, res) => {
      underWay += 1
      most.push(underWay)
      await new Promise((resolve) => setImmediate(resolve))
      underWay -= 1
      res.end(`<${req.url}>`)
    }
    // The head that a full buffer cuts waits for its turn, too: on a busy machine longer than by default.
    const server = await start(inTurn, { headersTimeoutMs: 600_000 })
    const client = open(server.port)
    const paths = Array.from({ length: 3000 }, (_, index) => `/${index}`)
    client.write(paths.map((path) => request(path, path === '/2999' ? 'Connection: close\r\n' : '')).join(''))
    const { answer } = await answerOf(client)
    expect([...answer.matchAll(/<(.*?)>/g)].map(([, path]) => path)).toEqual(paths)
    expect(Math.max(...most)).toBe(1)
  })

  it('with large bodies wait outside while the first is not answered', async () => {
    let handled = 0
    let read = () => 0
    const server = await start((req) => {
      handled += 1
      read = () => req.socket.bytesRead
      req.resume()
    })
    const client = open(server.port)
    const event = Buffer.concat([
      Buffer.from('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048576\r\n\r\n'),
      Buffer.alloc(1_048_576),
    ])
    for (let count = 0; count < 100; count += 1) client.write(event)
    await untilStuck(client)
    expect(handled).toBe(1)
    expect(read()).toBeLessThan(2_000_000)
  })

  it('without bodies wait outside as well, whatever is read of those that are handled', async () => {
    let read = () => 0
    let answer: ServerResponse | undefined
    let handled = 0
    const server = await start((req, res) => {
      handled += 1
      read = () => req.socket.bytesRead
      req.resume()
      if (handled > 100) answer = res
      else res.end()
    })
    const client = open(server.port)
    client.resume()
    client.write(request('/').repeat(1_000_000))
    await untilStuck(client)
    expect(answer).toBeDefined()
    expect(read()).toBeLessThan(500_000)
  })

  it('behind an offer to upgrade are not read, which the answer says', async () => {
    const paths: unknown[] = []
    const server = await start((req, res) => {
      paths.push(req.url)
      res.end()
    })
    const client = open(server.port)
    client.write(request('/1', 'Upgrade: h2c\r\nConnection: upgrade\r\n') + request('/2'))
    expect((await answerOf(client)).answer).toMatch(/^HTTP\/1\.1 200 OK\r\n.*Connection: close\r\n/s)
    expect(paths).toEqual(['/1'])
  })

  it('end after those that one connection may have, which the last answer says', async () => {
    const server = await start((_, res) => void res.end('ok'), { maxRequestsPerConnection: 2 })
    const client = open(server.port)
    client.write(request('/').repeat(5))
    const { answer } = await answerOf(client)
    expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
    expect(answer.match(/Connection: close/g)).toHaveLength(1)
  })
})
