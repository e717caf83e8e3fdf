import type { RequestListener } from 'node:http'
import type { RequestHandler } from '@taproom/http'
import { createBareApp, type Logger } from '@taproom/service'
import { guard } from './http/guard.ts'
import { type Page, servePage } from './http/page.ts'
import type { Routes } from './http/route.ts'
import { createRouter } from './http/router.ts'

/** Nothing comes from elsewhere, nothing is written into the page, nothing frames it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
}

/** Adds what every answer says to browsers; `nosniff` and `no-referrer` come from `listen`. */
const answerHeaders: RequestHandler = (_request, response, next) => {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value)
  next()
}

export interface ConsoleDeps {
  /** The session's secret: needed for every method but GET and HEAD. */
  readonly session: string
  readonly log: Logger
  /** Ends live answers. */
  readonly shutdown: AbortSignal
  readonly routes: Routes
  readonly page: Page
}

/** The handler of all requests to the console; it never listens. */
export function createConsole({ session, log, shutdown, routes, page }: ConsoleDeps): RequestListener {
  return createBareApp({
    log,
    routes: [answerHeaders, guard(session), createRouter(routes, shutdown), servePage(page)],
  })
}
