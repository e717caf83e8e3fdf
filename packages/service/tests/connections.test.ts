import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { type ListenOptions, listen } from '../src/index.ts'

const opened: AsyncDisposable[] = []
afterEach(async () => {
  for (const resource of opened.splice(0).reverse()) await resource[Symbol.asyncDispose]()
})

async function start(handler: RequestListener, options: Partial<ListenOptions> = {}) {
  const server = await listen(handler, { host: '127.0.0.1', port: 0, drainMs: 100, ...options })
  opened.push(server)
  return server
}

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  opened.push({ [Symbol.asyncDispose]: async () => void socket.destroy() })
  return socket
}

/** Everything that comes back, and how the connection ended. */
async function answerOf(socket: Socket) {
  let answer = ''
  let error: unknown
  socket.on('error', (thrown) => {
    error = thrown
  })
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1')
  })
  await new Promise((resolve) => socket.once('close', resolve))
  return { answer, error }
}

/** Lets everything that is under way between the sockets of this process go on, until nothing more is taken of what the client writes. */
async function untilStuck(client: Socket): Promise<void> {
  let last = -1
  for (let turns = 0; turns < 200; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    const sent = client.bytesWritten - client.writableLength
    if (sent !== last) turns = 0
    last = sent
  }
}

const request = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`

describe('listen, pipelined requests', () => {
  it('are handled one after another and answered in their order', async () => {
    let underWay = 0
    const most: number[] = []
    const server = await start(async (req, res) => {
      underWay += 1
      most.push(underWay)
      await new Promise((resolve) => setImmediate(resolve))
      underWay -= 1
      res.end(`<${req.url}>`)
    })
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
    expect((await answerOf(client)).answer).toMatch(/^HTTP\/1\.1 200 OK\r\nConnection: close\r\n/)
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

describe('listen, early answers', () => {
  const large = Buffer.alloc(8_000_000)

  it.each(['close', 'keep-alive'])(
    'of a handler that reads nothing arrive whole, with Connection: %s',
    async (connection) => {
      const server = await start(
        (_, res) => void res.writeHead(413, connection === 'close' ? { connection } : {}).end('too large'),
      )
      for (let count = 0; count < 5; count += 1) {
        const client = open(server.port)
        client.write(
          `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${large.length}\r\nConnection: ${connection}\r\n\r\n`,
        )
        client.write(large)
        if (connection === 'keep-alive') client.write(request('/', 'Connection: close\r\n'))
        const { answer, error } = await answerOf(client)
        expect(error).toBeUndefined()
        expect(answer.split('too large')).toHaveLength(connection === 'close' ? 2 : 3)
      }
    },
  )

  it('of a handler that stopped reading, or of one that refuses the head, arrive whole', async () => {
    const server = await start((req, res) => {
      req.once('data', () => {
        req.pause()
        res.writeHead(400, { connection: 'close' }).end('bad')
      })
    })
    for (const head of ['POST /', 'POST /#', 'NONSENSE /']) {
      const client = open(server.port)
      client.write(`${head} HTTP/1.1\r\nHost: a\r\nContent-Length: ${large.length}\r\n\r\n`)
      client.write(large)
      const { answer, error } = await answerOf(client)
      expect(error).toBeUndefined()
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    }
  })

  it.each(['close', 'keep-alive'])(
    'end a request that goes on beyond the bound, with Connection: %s',
    async (connection) => {
      const server = await start(
        (_, res) => void res.writeHead(413, connection === 'close' ? { connection } : {}).end(),
        { lingerBytes: 1_000_000 },
      )
      const client = open(server.port)
      client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000000\r\n\r\n')
      const closed = answerOf(client)
      const more = () => {
        while (!client.destroyed && client.write(large));
      }
      client.on('drain', more)
      more()
      await closed
      expect(client.bytesWritten).toBeLessThan(1_000_000_000)
    },
  )

  it('end a request that does not go on, after a while', async () => {
    const server = await start((_, res) => void res.writeHead(413).end(), { lingerMs: 20 })
    const client = open(server.port)
    client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n')
    expect((await answerOf(client)).answer).toContain('413')
  })
})

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

describe('listen, a body in the smallest chunks', () => {
  const chunks = 100_000

  it('comes whole, in few pieces, and without its connection being lost', async () => {
    let pieces = 0
    const server = await start(async (req, res) => {
      const parts: Buffer[] = []
      req.on('data', (part: Buffer) => {
        pieces += 1
        parts.push(part)
      })
      await once(req, 'end')
      res.end(`${Buffer.concat(parts).length} ${new Set(Buffer.concat(parts)).size}`)
    })
    const client = open(server.port)
    client.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
    client.write('1\r\nx\r\n'.repeat(chunks))
    client.write('800\r\n')
    client.write('x'.repeat(0x800))
    client.write(`\r\n1\r\nx\r\n0\r\n\r\n${request('/next', 'Connection: close\r\n')}`)
    const { answer } = await answerOf(client)
    expect(answer).toContain(`\r\n\r\n${chunks + 0x800 + 1} 1`)
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
    expect(pieces).toBeLessThan(chunks / 100)
  })

  it('is no worse as requests: a few are handled in a turn', async () => {
    let turn = 0
    let isOver = false
    const nextTurn = () => {
      turn += 1
      if (!isOver) setImmediate(nextTurn)
    }
    const turns = new Map<number, number>()
    const server = await start((_req, res) => {
      turns.set(turn, (turns.get(turn) ?? 0) + 1)
      res.end('a')
    })
    nextTurn()
    const client = open(server.port)
    client.write(request('/').repeat(400) + request('/', 'Connection: close\r\n'))
    const { answer } = await answerOf(client)
    isOver = true
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(401)
    expect(Math.max(...turns.values())).toBeLessThan(100)
  })
})
