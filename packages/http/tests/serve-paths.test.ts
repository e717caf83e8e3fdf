import { once } from 'node:events'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { pathOf, type RequestHandler, servePaths, serveRoutes } from '../src/index.ts'
import { sendRaw } from './raw-peers.ts'

/** A server of `/` and `/a` that answers with the path of the route, and with `next` where there is none. */
function start(method: 'GET' | 'POST') {
  const answer: RequestHandler = (req, res) => res.end(`route ${req.route?.path}`)
  return listen(servePaths(method, { '/': answer, '/a': answer, '/a/': answer, '/b': answer }))
}

async function listen(serve: RequestHandler) {
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
    ['/b/', 'route /b'],
    ['/b//', 'next'],
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

describe('serveRoutes', () => {
  const params: RequestHandler = ({ method, route }, res) =>
    res.end(`${method} ${route?.path} ${JSON.stringify(route?.params)}`)
  const names = [
    'GET /a',
    'POST /a',
    'GET /a/{id}',
    'DELETE /a/{id}',
    'GET /a/all',
    'GET /a/{id}/{part}',
    'GET /a/b/{part}',
  ]
  const serve = serveRoutes(Object.fromEntries(names.map((name) => [name, params])))

  it.each([
    ['POST /a?b', 'POST /a {}'],
    ['GET /a/1', 'GET /a/{id} {"id":"1"}'],
    ['DELETE /a/x%2Fy', 'DELETE /a/{id} {"id":"x/y"}'],
    ['GET /a/all', 'GET /a/all {}'],
    ['GET /a/b/c', 'GET /a/b/{part} {"part":"c"}'],
    ['GET /a/1/c', 'GET /a/{id}/{part} {"id":"1","part":"c"}'],
    ['GET /a/', 'next'],
    ['GET /a/1/', 'next'],
    ['DELETE /a/', 'next'],
    ['GET /a/1/2/3', 'next'],
    ['GET /{id}', 'next'],
  ])('answers %s with %s', async (head, text) => {
    await using server = await listen(serve)
    expect((await server.ask(head)).split('\r\n\r\n')[1]).toBe(text)
  })

  it('lists the methods of a path in the order of its routes', async () => {
    await using server = await listen(serve)
    expect(await server.ask('PUT /a')).toMatch(/^HTTP\/1\.1 405 .*\r\nallow: GET, POST\r\n/is)
    expect(await server.ask('HEAD /a/1')).toMatch(/^HTTP\/1\.1 405 .*\r\nallow: GET, DELETE\r\n/is)
  })

  it('throws an error of status 400 for a part that is not UTF-8', () => {
    const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/a/%ff' })
    const ask = () => serve(request, new ServerResponse(request), () => undefined)
    expect(ask).toThrow(expect.objectContaining({ status: 400, message: expect.stringContaining('"%ff"') }))
  })
})
