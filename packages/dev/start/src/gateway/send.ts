import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { safeJson } from '@taproom/lines'

/** Sends an answer, without its body where HEAD asked. */
export function send(response: ServerResponse, status: number, headers: OutgoingHttpHeaders, body: string): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

/** Sends JSON that must not be cached. */
export function sendJson(response: ServerResponse, status: number, content: object): void {
  const headers = { 'Content-Type': 'application/json; charset=UTF-8', 'Cache-Control': 'no-store' }
  send(response, status, headers, safeJson(JSON.stringify(content)))
}
