import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** Sends an answer, without its body where HEAD asked. */
export function send(response: ServerResponse, status: number, headers: OutgoingHttpHeaders, body: string): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}
