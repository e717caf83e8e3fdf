import type { IncomingMessage, ServerResponse } from 'node:http'
import { pathOf, sendProblem } from '@taproom/http'
import { clientAddress, clientKey, type TrustedProxies } from './client-address.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'

/** Answers a request and is then true, or lets it pass. */
export type Gate = (req: IncomingMessage, res: ServerResponse) => boolean

export interface RateLimitGateOptions {
  readonly rateLimit: RateLimit
  readonly trustedProxies: TrustedProxies
  /** Reading these and the paths below them is not limited: who probes a service must have an answer. */
  readonly unlimitedPaths: readonly string[]
  /** Called for each refusal. */
  readonly onRefused: (req: IncomingMessage) => void
}

/** Answers requests of a client that asks too often with 429 and `Retry-After`. */
export function rateLimitGate({ rateLimit, trustedProxies, unlimitedPaths, onRefused }: RateLimitGateOptions): Gate {
  const secondsToWait = createRateLimit(rateLimit)
  return (req, res) => {
    const path = pathOf(req.url)
    const isRead = req.method === 'GET' || req.method === 'HEAD'
    if (isRead && unlimitedPaths.some((free) => path === free || path.startsWith(`${free}/`))) return false
    const seconds = secondsToWait(clientKey(clientAddress(req, trustedProxies)))
    if (seconds === 0) return false
    onRefused(req)
    sendProblem(res, {
      status: 429,
      detail: `more than ${rateLimit.perSecond} requests per second of one client; try again in ${seconds} s`,
      headers: { 'Retry-After': seconds },
    })
    return true
  }
}
