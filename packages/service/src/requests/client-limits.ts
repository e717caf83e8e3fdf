import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pathOf, sendProblem } from '@taproom/http'
import { addressOf, clientAddress, clientKey, isTrusted, type TrustedProxies } from './client-address.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'
import { isBelow } from './server-span.ts'

/** Answers a request and is then true, or lets it pass. */
export type Gate = (req: IncomingMessage, res: ServerResponse) => boolean

interface RateLimitGateOptions {
  readonly rateLimit: RateLimit
  readonly trustedProxies: TrustedProxies
  /** Reading these and the paths below them is not limited: who probes a service must have an answer. */
  readonly unlimitedPaths: readonly string[]
  readonly onRefused: (req: IncomingMessage) => void
}

/** Answers requests of a client that asks too often with 429 and `Retry-After`. */
export function rateLimitGate({ rateLimit, trustedProxies, unlimitedPaths, onRefused }: RateLimitGateOptions): Gate {
  const secondsToWait = createRateLimit(rateLimit)
  return (req, res) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD'
    if (isRead && isBelow(pathOf(req.url), unlimitedPaths)) return false
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

/**
 * Counts the connections of each client; false for one beyond `most`, which is to be closed. A trusted proxy may have any number: it speaks
 * for many clients.
 */
export function countConnections(most: number, trusted: TrustedProxies): (socket: Socket) => boolean {
  const open = new Map<string, number>()
  return (socket) => {
    const address = addressOf(socket)
    if (address === undefined || isTrusted(address, trusted)) return true
    const client = clientKey(address)
    const count = open.get(client) ?? 0
    if (count >= most) return false
    open.set(client, count + 1)
    socket.once('close', () => {
      const left = (open.get(client) ?? 1) - 1
      if (left > 0) open.set(client, left)
      else open.delete(client)
    })
    return true
  }
}
