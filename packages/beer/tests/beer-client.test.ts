import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createBeerClient } from '../src/index.ts'

async function serve(handler: RequestListener) {
  const server = createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

describe('createBeerClient over a real connection', () => {
  it('follows a redirect', async () => {
    await using server = await serve((request, response) => {
      if (request.url?.startsWith('/beers?') === true)
        response.writeHead(301, { location: '/moved/beers?page=2' }).end()
      else response.end(JSON.stringify([{ name: request.url, tagline: '', abv: 1 }]))
    })
    await expect(createBeerClient({ url: server.url }).page(2)).resolves.toEqual([
      { name: '/moved/beers?page=2', tagline: '', abv: 1 },
    ])
  })

  it('gives up on a service that never answers', async () => {
    await using server = await serve(() => {})
    await expect(createBeerClient({ url: server.url, timeoutMs: 50 }).page(1)).rejects.toMatchObject({
      code: 'BEER_SERVICE_TIMEOUT',
    })
  })

  it('counts the body into the timeout', async () => {
    await using server = await serve((_request, response) => {
      response.write('[')
    })
    await expect(createBeerClient({ url: server.url, timeoutMs: 100 }).page(1)).rejects.toMatchObject({
      code: 'BEER_SERVICE_TIMEOUT',
    })
  })

  it('reports a body that breaks off as unreachable', async () => {
    await using server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('[', () => response.destroy())
    })
    await expect(createBeerClient({ url: server.url }).page(1)).rejects.toMatchObject({
      code: 'BEER_SERVICE_UNREACHABLE',
    })
  })

  it('reports a closed port as unreachable', async () => {
    const server = await serve(() => {})
    await server[Symbol.asyncDispose]()
    await expect(createBeerClient({ url: server.url }).page(1)).rejects.toMatchObject({
      code: 'BEER_SERVICE_UNREACHABLE',
    })
  })

  it('ends the connection and throws the reason when the signal is aborted', async () => {
    const caller = new AbortController()
    const closed = Promise.withResolvers<void>()
    await using server = await serve((_request, response) => {
      response.on('close', () => closed.resolve())
      caller.abort(new Error('the client left'))
    })
    await expect(createBeerClient({ url: server.url }).page(1, caller.signal)).rejects.toThrow('the client left')
    await closed.promise
  })
})
