import { startHttpServer } from '@taproom/testkit'
import express, { type Express, type RequestHandler } from 'express'
import { afterAll } from 'vitest'

/** Starts apps that end with the test file. */
export function serving(): (app: Express) => Promise<string> {
  const servers = new AsyncDisposableStack()
  afterAll(() => servers.disposeAsync())
  return async (app) => servers.use(await startHttpServer(app)).url
}

/** An app whose every path answers `welcome` behind the handlers. */
export function welcome(...handlers: readonly RequestHandler[]): Express {
  const app = express()
  for (const handler of handlers) app.use(handler)
  return app.use((_, res) => void res.send('welcome'))
}
