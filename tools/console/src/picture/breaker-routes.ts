import { sendView } from '../http/live.ts'
import type { Routes } from '../http/route.ts'
import type { Breakers } from './breakers.ts'

const LIVE_MS = 1000

/** The circuit breakers of all services. */
export function breakerRoutes({ read }: Breakers): Routes {
  return {
    'GET /api/breakers': (asked) =>
      sendView(asked, {
        read: async () => ({ items: (await read()).flatMap(({ breaker }) => breaker ?? []) }),
        everyMs: LIVE_MS,
      }),
  }
}
