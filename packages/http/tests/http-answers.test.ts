import { describe, expect, it } from 'vitest'
import { HttpClient } from '../src/index.ts'
import { requestTo, textOf, until } from './client-peers.ts'
import { startBackend } from './raw-peers.ts'

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`

/** With this a connection is not closed for being idle. */
const LONG_IDLE = { idleMs: 3_600_000 }

/** The outcome of a request whose answer is the last one before the service closes the connection. */
async function answerOf(text: string) {
  await using backend = await startBackend((socket) => socket.end(Buffer.from(text, 'latin1')))
  using client = new HttpClient()
  return await textOf(client, requestTo(backend.port))
}

describe('HttpClient, an answer', () => {
  it.each([
    ['with a length', `${OK}Content-Length: 5\r\n\r\nhello`, '200 hello'],
    ['with chunks', `${CHUNKED}4\r\nhell\r\n1;a=b\r\no\r\n0\r\nA: 1\r\n\r\n`, '200 hello'],
    ['up to the end of the connection', `${OK}Connection: close\r\n\r\nhello`, '200 hello'],
    ['after an interim one', `HTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\n${OK}Content-Length: 2\r\n\r\nok`, '200 ok'],
    ['after 100 Continue', `HTTP/1.1 100 Continue\r\n\r\n${OK}Content-Length: 2\r\n\r\nok`, '200 ok'],
    ['204 with a length of 0', 'HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n', '204 '],
    ['204 without a length', 'HTTP/1.1 204 No Content\r\n\r\n', '204 '],
    ['304 without a length', 'HTTP/1.1 304 Not Modified\r\n\r\n', '304 '],
  ])('%s is read', async (_case, text, expected) => {
    expect(await answerOf(text)).toBe(expected)
  })

  it.each([
    ['another protocol', 'SSH-2.0-x\r\n\r\n'],
    ['lines that end in a line feed', 'HTTP/1.1 200 OK\nContent-Length: 0\n\r\n\r\n'],
    ['a space before the colon', `${OK}Content-Length : 0\r\n\r\n`],
    ['a header over two lines', `${OK}A: b\r\n c\r\nContent-Length: 0\r\n\r\n`],
    ['a zero byte in a header', `${OK}A: b\0\r\nContent-Length: 0\r\n\r\n`],
    ['two lengths', `${OK}Content-Length: 2\r\nContent-Length: 2\r\n\r\nok`],
    ['a list of lengths', `${OK}Content-Length: 2, 2\r\n\r\nok`],
    ['a signed length', `${OK}Content-Length: +2\r\n\r\nok`],
    ['a length and chunks', `${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`],
    ['two lengths of a 204', 'HTTP/1.1 204 No\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n'],
    ['a length and chunks of a 304', 'HTTP/1.1 304 No\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n'],
    [
      'an interim answer that declares a body',
      `HTTP/1.1 103 Hints\r\nContent-Length: 2\r\n\r\n${OK}Content-Length: 0\r\n\r\n`,
    ],
    ['an invalid length of a 101', 'HTTP/1.1 101 No\r\nContent-Length: x\r\n\r\n'],
    ['a chunk of no size', `${CHUNKED}\r\n\r\n`],
    ['a chunk that is longer than it says', `${CHUNKED}2\r\nokay\r\n0\r\n\r\n`],
  ])('decisions 3.128: with %s is refused', async (_case, text) => {
    await expect(answerOf(text)).rejects.toMatchObject({ code: 'HTTP_ANSWER_INVALID' })
  })

  it.each([
    ['204', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n'],
    ['204 in chunks', 'HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['304', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n'],
  ])('decisions 3.128: %s that declares a body ends its connection', async (_case, text) => {
    await using backend = await startBackend((socket) => socket.write(text))
    using client = new HttpClient(LONG_IDLE)
    await client.request(requestTo(backend.port, { limitBytes: 0 }))
    await until('the connection to be closed', () => backend.sockets.size === 0)
  })

  it('101, for which nothing asked, ends its connection', async () => {
    const text = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'
    await using backend = await startBackend((socket) => socket.write(text))
    using client = new HttpClient(LONG_IDLE)
    expect(await textOf(client, requestTo(backend.port))).toBe('101 ')
    await until('the connection to be closed', () => backend.sockets.size === 0)
  })

  it.each([
    ['its headers', `${OK}A: ${'x'.repeat(17_000)}\r\nContent-Length: 0\r\n\r\n`],
    ['its trailers', `${CHUNKED}0\r\nA: ${'x'.repeat(17_000)}\r\n\r\n`],
  ])('is given up where %s are more than 16 KiB', async (_case, text) => {
    await expect(answerOf(text)).rejects.toMatchObject({ code: 'HTTP_ANSWER_HEAD_TOO_LARGE' })
  })

  it('that comes byte by byte, and one whose headers come twice, are read', async () => {
    const text = `${OK}Set-Cookie: a\r\nset-cookie: caf\xe9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`
    await using backend = await startBackend(async (socket) => {
      for (const byte of text) {
        socket.write(byte, 'latin1')
        await new Promise((resolve) => setImmediate(resolve))
      }
    })
    using client = new HttpClient()
    const { headers, body } = await client.request(requestTo(backend.port))
    expect(headers['set-cookie']).toEqual(['a', 'caf\xe9'])
    expect(String(body.bytes)).toBe('ok')
  })
})
