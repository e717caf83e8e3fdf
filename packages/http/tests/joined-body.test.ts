import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { answers, sendRaw, startProxy } from './raw-peers.ts'

const CHUNKS = 20_000

describe('reverse proxy, a body in the smallest chunks', () => {
  it('passes the body on whole, in few pieces', async () => {
    let [pieces, length] = [0, 0]
    await using backend = createServer((req, res) => {
      req.on('data', (piece: Buffer) => {
        pieces += 1
        length += piece.length
      })
      req.on('end', () => res.end('ok'))
    })
    await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve))
    const address = backend.address()
    await using proxy = await startProxy(typeof address === 'object' && address !== null ? address.port : 0)
    const head = 'POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n'
    await sendRaw(proxy.port, `${head}${'1\r\nx\r\n'.repeat(CHUNKS)}0\r\n\r\n`, answers(1))
    expect(length).toBe(CHUNKS)
    expect(pieces).toBeLessThan(CHUNKS / 100)
  })
})
