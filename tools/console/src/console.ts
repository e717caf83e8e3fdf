import type { RequestListener } from 'node:http'
import { createBareApp, type Logger } from '@taproom/service'
import { answerHeaders } from './http/answer-headers.ts'
import { guard } from './http/guard.ts'
import { type Page, servePage } from './http/page.ts'
import type { Routes } from './http/route.ts'
import { createRouter } from './http/router.ts'

export interface ConsoleDeps {
  /** The session's secret: needed for all that is no GET or HEAD. */
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
