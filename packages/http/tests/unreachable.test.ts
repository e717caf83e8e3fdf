import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createReverseProxy, type Upstream } from '../src/index.ts'

const portOf = (server: { address(): AddressInfo | string | null }) => (server.address() as AddressInfo).port

/** A port of this machine at which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  return port
}

describe('reverse proxy, an upstream that cannot be reached', () => {
  it.each([1000, 500_000])('sends a body of %i bytes to the next one, over a kept connection', async (size) => {
    await using upstream = createServer((req, res) => {
      let length = 0
      req.on('data', (piece: Buffer) => {
        length += piece.length
      })
      req.on('end', () => res.end(String(length)))
    }).listen(0, '127.0.0.1')
    await once(upstream, 'listening')
    const closed = await freePort()
    const proxy = createReverseProxy({ position: 'edge' })
    let ports: number[] = []
    await using front = createServer((req, res) => {
      const next = (): Upstream => ({ host: '127.0.0.1', port: ports.shift() ?? 0, unreachable() {} })
      void proxy.forward(req, res, { path: '/', host: undefined, next })
    }).listen(0, '127.0.0.1')
    await once(front, 'listening')

    const lengths: string[] = []
    for (const route of [[portOf(upstream)], [closed, portOf(upstream)]]) {
      ports = route
      const answer = await fetch(`http://127.0.0.1:${portOf(front)}`, { method: 'POST', body: Buffer.alloc(size) })
      lengths.push(await answer.text())
    }
    expect(lengths).toEqual([String(size), String(size)])
    upstream.closeAllConnections()
    front.closeAllConnections()
  })
})
