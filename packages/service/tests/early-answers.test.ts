import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { answerOf, open, request, start } from './raw-client.ts'
import { startApp } from './start-app.ts'

const headFirst = (text: string) => (res: ServerResponse) => {
  res.flushHeaders()
  res.end(text)
}

const inParts = (first: string, last: string) => (res: ServerResponse) => {
  res.write(first)
  setImmediate(() => res.end(last))
}

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

  it.each([
    ['ended at once', '', (res: ServerResponse) => res.end('not here')],
    ['whose head went first', '', headFirst('not here')],
    ['after 100 Continue', 'Expect: 100-continue\r\n', (res: ServerResponse) => res.end('not here')],
  ])('%s arrive whole when what follows in the same bytes is no HTTP', async (_case, header, answer) => {
    const server = await start((_, res) => void answer(res.writeHead(404)))
    const client = open(server.port)
    client.write(`POST / HTTP/1.1\r\nHost: a\r\n${header}Transfer-Encoding: chunked\r\n\r\nZZZ`)
    expect((await answerOf(client)).answer).toMatch(/HTTP\/1\.1 404 .*not here/s)
  })

  it('arrive whole when the handler fails after its answer', async () => {
    const { url } = await startApp((routes) => {
      routes.get('/', (_, res) => {
        res.end('answered')
        throw new Error('after that')
      })
    })
    expect(await (await fetch(url)).text()).toBe('answered')
  })

  it.each([
    ['whole', (res: ServerResponse) => res.end('in time')],
    ['in parts', inParts('in ', 'time')],
    ['head first', headFirst('in time')],
  ])('that come as the time for writing is over arrive, and the connection stays, %s', async (_case, answer) => {
    const late = (res: ServerResponse) => void pause(1000).then(() => answer(res))
    const server = await start((req, res) => (req.url === '/late' ? late(res) : void res.end('next')), {
      writeTimeoutMs: 1000,
    })
    const client = open(server.port)
    client.write(request('/late'))
    const answered = answerOf(client)
    await once(client, 'data')
    client.write(request('/', 'Connection: close\r\n'))
    expect((await answered).answer).toMatch(/in .*time.*next$/s)
  })

  it('of a handler that is called, reads nothing and answers later arrive whole', async () => {
    const server = await start((_, res) => {
      // Until then the parser has stopped reading: nobody takes what it has.
      setTimeout(() => res.writeHead(413, { connection: 'close' }).end('too large'), 50)
    })
    const client = open(server.port)
    client.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${large.length}\r\n\r\n`)
    client.write(large)
    const { answer, error } = await answerOf(client)
    expect(error).toBeUndefined()
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })

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
