import type { IncomingMessage, ServerResponse } from 'node:http'
import { visible } from '@taproom/core/lines'
import { monotonicMs } from '@taproom/core/time'
import { pathOf } from '@taproom/http'
import type { Logger } from '../logger.ts'
import { clientAddress, type TrustedProxies } from './client-address.ts'
import { traceOf } from './server-span.ts'

/** The path of a request as logs and problems show it: without its query, and cut, because a caller may send anything. */
export function shownPath(target: string | undefined): string {
  return visible(pathOf(target), 300)
}

/** `traceparent` (W3C Trace Context): version, trace id, the rest. */
const TRACE = /^[\da-f]{2}-(?<trace_id>[\da-f]{32})-/

/**
 * Writes one line for each request once it has ended: `client`, `method`, `path` (without its query, 300 characters), `status` (499 if the
 * client left before an answer began), `bytes` of the answer with its head, `durationMs`, and the `trace_id` and `span_id` of its span; without one the
 * `trace_id` of a `traceparent`.
 */
export function createAccessLog(log: Pick<Logger, 'info'>, trusted: TrustedProxies) {
  return (req: IncomingMessage, res: ServerResponse): void => {
    const startedAt = monotonicMs()
    const { socket, method, url } = req
    const sentBefore = socket.bytesWritten
    // Once the connection has gone, nobody knows whose it was.
    const client = clientAddress(req, trusted)
    const trace = traceOf(res) ?? TRACE.exec(String(req.headers['traceparent'] ?? ''))?.groups
    let sent: number | undefined
    // Before the next request of the connection begins, which `close` may come after.
    res.on('finish', () => {
      sent = socket.bytesWritten - sentBefore
    })
    res.on('close', () => {
      log.info(
        {
          log: 'access',
          client,
          method,
          path: shownPath(url),
          status: res.headersSent ? res.statusCode : 499,
          bytes: sent ?? socket.bytesWritten - sentBefore,
          durationMs: Math.round((monotonicMs() - startedAt) * 1000) / 1000,
          ...trace,
        },
        'request ended',
      )
    })
  }
}
