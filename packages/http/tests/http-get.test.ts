import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, it } from 'vitest'
import { createHttpGet } from '../src/index.ts'

const AT_ONCE = 200

it('connections of a busy moment are used again in the next one', async () => {
  const sockets = new Set<Socket>()
  const waiting: (() => void)[] = []
  await using server = createServer((request, response) => {
    sockets.add(request.socket)
    waiting.push(() => response.end('{}'))
    if (waiting.length === AT_ONCE) for (const answer of waiting.splice(0)) answer()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  using get = createHttpGet({})
  const { signal } = new AbortController()
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => get(url, signal)))
    expect(sockets.size).toBe(AT_ONCE)
  }
})

it('a redirect that leads nowhere is an answer with its body', async () => {
  await using server = createServer((_, response) => void response.writeHead(302).end('choose')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  using get = createHttpGet({})
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const { status, body } = await get(url, new AbortController().signal)
  expect([status, String(body)]).toEqual([302, 'choose'])
})

it('decisions 3.169: a used connection that ends at the next request costs a new one, and no failure', async () => {
  const answered = new WeakSet<Socket>()
  const requests: string[] = []
  await using server = createServer((request, response) => {
    requests.push(request.url ?? '')
    const { socket } = request
    if (answered.has(socket)) socket.resetAndDestroy()
    else response.end('{}', () => answered.add(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  using get = createHttpGet({})
  const { signal } = new AbortController()
  for (const path of ['/1', '/2', '/3']) expect((await get(url + path, signal)).status).toBe(200)
  expect(requests).toEqual(['/1', '/2', '/2', '/3', '/3'])
})

it('decisions 3.169: a new connection that ends without an answer is a failure', async () => {
  let connections = 0
  await using server = createServer(({ socket }) => {
    connections += 1
    socket.resetAndDestroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  using get = createHttpGet({})
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(get(url, new AbortController().signal)).rejects.toThrow()
  expect(connections).toBe(1)
})
