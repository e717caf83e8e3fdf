import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createReverseProxy } from '@taproom/http'
import { describe, expect, it } from 'vitest'
import { answerOf, open, request, start } from './raw-client.ts'

const PIECES = 100
const PIECE = 'x'.repeat(30_000)

const withLength = `Content-Length: ${PIECES * PIECE.length}\r\n\r\n${PIECE.repeat(PIECES)}`
const inChunks = `Transfer-Encoding: chunked\r\n\r\n${`${PIECE.length.toString(16)}\r\n${PIECE}\r\n`.repeat(PIECES)}0\r\n\r\n`

describe('listen, an answer that a proxied service gives without reading the body', () => {
  it.each([
    ['a length', withLength],
    ['chunks', inChunks],
  ])('arrives, and the next request of the connection is answered, with %s', async (_case, body) => {
    await using upstream = createServer((_req, res) => res.writeHead(401).end('no'))
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    const { port } = upstream.address() as AddressInfo
    const proxy = createReverseProxy({ position: 'edge' })
    const next = () => ({ host: '127.0.0.1', port })
    const server = await start((req, res) => void proxy.forward(req, res, { path: '/', host: undefined, next }))
    const client = open(server.port)
    client.write(`POST / HTTP/1.1\r\nHost: a\r\n${body}`)
    client.write(request('/', 'Connection: close\r\n'))
    const { answer, error } = await answerOf(client)
    expect(error).toBeUndefined()
    expect(answer.match(/HTTP\/1\.1 401 /g)).toHaveLength(2)
    upstream.closeAllConnections()
  })
})
