import { Router } from 'express'
import { pino } from 'pino'
import { createHttpApp } from '../src/index.ts'
import { start } from './raw-client.ts'

/** An app with the given routes that listens until the test is over, and its log lines. */
export async function startApp(build: (routes: Router) => void, options: { readonly drainMs?: number } = {}) {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const routes = Router()
  build(routes)
  const server = await start(createHttpApp({ log, routes: [routes] }), { drainMs: 8000, ...options })
  return { server, lines, url: server.url }
}
