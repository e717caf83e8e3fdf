import type { ServerResponse } from 'node:http'
import { safeJson } from '@taproom/core/lines'

/** Answers with JSON that no cache keeps, its hidden characters escaped. */
export function sendJson(res: ServerResponse, status: number, content: object): void {
  const body = Buffer.from(safeJson(JSON.stringify(content)))
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=UTF-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  })
  res.end(body)
}
