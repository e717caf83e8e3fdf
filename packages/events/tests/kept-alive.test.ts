import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { HttpClient } from '@taproom/http'
import { describe, expect, it } from 'vitest'
import { sendEvent } from '../src/index.ts'
import { makeEvent } from './make-event.ts'

interface Meeting {
  readonly socket: Socket
  /** Requests on this connection, this one included. */
  readonly number: number
  /** Requests on all of them. */
  readonly total: number
}

const TAKEN = 'HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n'

/** Speaks to sockets; every request sent here comes in one piece. */
async function startServer(onRequest: (meeting: Meeting) => void) {
  const sockets: Socket[] = []
  let total = 0
  const server = createServer((socket) => {
    sockets.push(socket)
    let number = 0
    socket.on('error', () => {})
    socket.on('data', () => {
      number += 1
      total += 1
      onRequest({ socket, number, total })
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    sockets,
    requests: () => total,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Sends one event over each of so many connections at once, which then are idle, and gives the means to send one more. */
async function keepAlive(url: string, connections: number) {
  const client = new HttpClient()
  const send = (timeoutMs = 60_000) =>
    sendEvent({ url, event: makeEvent({ data: Buffer.from('{}') }), timeoutMs, client })
  const outcomes = await Promise.all(Array.from({ length: connections }, () => send()))
  expect(outcomes).toEqual(Array.from({ length: connections }, () => ({ delivered: true, status: 204 })))
  return { send, [Symbol.dispose]: () => client[Symbol.dispose]() }
}

describe('sendEvent over kept-alive connections', () => {
  it.each([1, 5])('%i idle ones that the other side has closed cost one more connection', async (idle) => {
    using server = await startServer(({ socket, number }) => {
      if (number > 1) socket.resetAndDestroy()
      else socket.write(TAKEN)
    })
    using kept = await keepAlive(server.url, idle)
    expect(await kept.send()).toEqual({ delivered: true, status: 204 })
    expect(server.sockets).toHaveLength(idle + 1)
  })

  it('a subscriber that resets each connection after reading sees an event twice at most', async () => {
    using server = await startServer(({ socket, total }) => {
      if (total > 5) socket.resetAndDestroy()
      else socket.write(TAKEN)
    })
    using kept = await keepAlive(server.url, 5)
    expect(await kept.send()).toMatchObject({ delivered: false, retryable: true, reason: 'unreachable' })
    expect(server.requests()).toBe(7)
    expect(server.sockets).toHaveLength(6)
  })

  it('on a new connection, sees it once', async () => {
    using server = await startServer(({ socket }) => socket.resetAndDestroy())
    using client = new HttpClient()
    const outcome = await sendEvent({ url: server.url, event: makeEvent(), timeoutMs: 60_000, client })
    expect(outcome).toMatchObject({ delivered: false, reason: 'unreachable' })
    expect(server.requests()).toBe(1)
  })

  it.each(['HTTP/1.1 2', 'HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'])(
    'one that is reset after %j is of a subscriber that is there: the event is not sent again',
    async (start) => {
      using server = await startServer(({ socket, number }) => {
        if (number === 1) socket.write(TAKEN)
        else socket.write(start, () => socket.destroy())
      })
      using kept = await keepAlive(server.url, 1)
      expect(await kept.send()).toMatchObject({ delivered: false, reason: 'unreachable' })
      expect(server.requests()).toBe(2)
    },
  )

  it('the time of an attempt is that of both tries together', async () => {
    using server = await startServer(({ socket, total }) => {
      if (total === 1) socket.write(TAKEN)
      else if (total === 2) socket.resetAndDestroy()
    })
    using kept = await keepAlive(server.url, 1)
    expect(await kept.send(1000)).toEqual({
      delivered: false,
      retryable: true,
      reason: 'timeout',
      detail: 'no answer within 1000 ms',
    })
    expect(server.requests()).toBe(3)
  })
})
