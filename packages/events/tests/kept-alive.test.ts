import { once } from 'node:events'
import { Agent } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { type SendOutcome, sendEvent } from '../src/index.ts'
import { makeEvent } from './make-event.ts'

/** Answers the first request on each connection; a second one is met by a reset, as if the connection had just been closed. */
async function startForgetfulServer() {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    let requests = 0
    socket.on('data', () => {
      requests += 1
      if (requests > 1) socket.resetAndDestroy()
      else socket.write('HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    sockets,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

describe('sendEvent over kept-alive connections', () => {
  it.each([1, 5])('%i idle ones that the other side has closed cost nothing', async (idle) => {
    using server = await startForgetfulServer()
    const agent = new Agent({ keepAlive: true })
    const send = () =>
      sendEvent({ url: server.url, event: makeEvent({ data: Buffer.alloc(0) }), timeoutMs: 5000, agent })
    const sendAtOnce = () => Promise.all(Array.from({ length: idle }, send))
    const delivered: SendOutcome[] = Array.from({ length: idle }, () => ({ delivered: true, status: 204 }))
    expect(await sendAtOnce()).toEqual(delivered)
    expect(await send()).toEqual(delivered[0])
    expect(server.sockets).toHaveLength(idle + 1)
    agent.destroy()
  })
})
