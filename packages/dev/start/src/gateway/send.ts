import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { safeJson } from '@taproom/lines'

/** Sends a whole answer, to HEAD without its body. */
export function send(response: ServerResponse, status: number, headers: OutgoingHttpHeaders, body: string): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

/** Sends JSON that is true now only. */
export function sendJson(response: ServerResponse, status: number, content: object): void {
  const headers = { 'Content-Type': 'application/json; charset=UTF-8', 'Cache-Control': 'no-store' }
  send(response, status, headers, safeJson(JSON.stringify(content)))
}
