import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { pathOf, servePaths } from '../src/index.ts'
import { sendRaw } from './raw-peers.ts'

/** A server of `/` and `/a` that answers with the path of the route, and with `next` where there is none. */
async function start(method: 'GET' | 'POST') {
  const answer: Parameters<typeof servePaths>[1][string] = (req, res) => res.end(`route ${req.route?.path}`)
  const serve = servePaths(method, { '/': answer, '/a': answer, '/a/': answer })
  const server = createServer((req, res) => void serve(req, res, () => res.end('next'))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    ask: (head: string) =>
      sendRaw((server.address() as AddressInfo).port, `${head} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`),
    async [Symbol.asyncDispose]() {
      server.close()
      await once(server, 'close')
    },
  }
}

describe('pathOf', () => {
  it.each([
    ['/a?b=/c', '/a'],
    ['/a#b?c', '/a'],
    ['http://user:secret@h/a?b', '/a'],
    ['ws://user:secret@h?b', ''],
    ['*', '*'],
    [undefined, ''],
  ])('of %s is "%s"', (target, path) => {
    expect(pathOf(target)).toBe(path)
  })
})

describe('servePaths', () => {
  it.each([
    ['/a', 'route /a'],
    ['/a?b=/c', 'route /a'],
    ['/a/', 'route /a/'],
    ['/', 'route /'],
    ['/?b', 'route /'],
    ['//', 'next'],
    ['http://h/a?b', 'route /a'],
    ['/A', 'next'],
    ['/a/b', 'next'],
    ['/%61', 'next'],
    ['/__proto__', 'next'],
    ['*', 'next'],
    ['http://[', 'next'],
  ])('answers %s with "%s"', async (target, text) => {
    await using server = await start('GET')
    expect((await server.ask(`GET ${target}`)).split('\r\n\r\n')[1]).toBe(text)
  })

  it.each([
    ['GET', 'HEAD', 200],
    ['GET', 'POST', 405],
    ['GET', 'OPTIONS', 405],
    ['POST', 'POST', 200],
    ['POST', 'HEAD', 405],
  ] as const)('of %s answers %s with %i', async (served, method, status) => {
    await using server = await start(served)
    const answer = await server.ask(`${method} /a`)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(/^allow: (.*)\r$/im.exec(answer)?.[1]).toBe(
      { 200: undefined, 405: served === 'GET' ? 'GET, HEAD' : 'POST' }[status],
    )
  })
})
