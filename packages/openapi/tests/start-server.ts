import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express, { type RequestHandler } from 'express'
import { type OpenApiDocument, openApiRoutes } from '../src/index.ts'

/** A bare express app that serves a description after what runs `before`, and nothing of this project besides. */
export async function startServer(document: OpenApiDocument, before: readonly RequestHandler[] = []) {
  const server = express()
    .use([...before, openApiRoutes(document)])
    .listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    get: (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
