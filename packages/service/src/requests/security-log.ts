import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from '../logger.ts'
import { addressOf, type TrustedProxies } from './client-address.ts'
import type { Refusal } from './refusal.ts'
import { createRefusalLog, isReported, originOf } from './refusal-log.ts'

/** Answers of an app that turn a client away; an app's 400 and 404 are about what was asked, not about who asks. */
const REFUSED = new Set([401, 403, 421, 429, 431])

/**
 * Writes one line for each refusal, as {@link createRefusalLog} bounds them: the listener's own, whatever their status, and an app's 401, 403,
 * 421, 429 and 431, unless the app has told more of them.
 */
export function createSecurityLog(log: Pick<Logger, 'info' | 'warn'>, trusted: TrustedProxies) {
  const write = createRefusalLog(log)
  const told = new WeakSet<IncomingMessage>()
  return {
    /** Looks at the answer once it has been sent. */
    watch(req: IncomingMessage, res: ServerResponse): void {
      const origin = originOf(req, trusted)
      res.on('close', () => {
        const { statusCode: status } = res
        if (!res.headersSent || !REFUSED.has(status) || isReported(req) || told.has(req)) return
        write(origin, { status, reason: STATUS_CODES[status] ?? 'refused' })
      })
    },
    /** A request that no app has seen. */
    refused(req: IncomingMessage, { status, detail }: Refusal): void {
      told.add(req)
      write(originOf(req, trusted), { status, reason: detail })
    },
    /** Bytes that are no request. */
    refusedBytes(socket: Socket, { status, detail }: Refusal): void {
      write({ client: addressOf(socket) ?? 'unknown' }, { status, reason: detail })
    },
  }
}
