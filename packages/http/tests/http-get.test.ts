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
