import { type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http'

/** Answers with `application/problem+json` (RFC 9457). */
export function sendProblem(
  response: ServerResponse,
  status: number,
  detail: string,
  headers: OutgoingHttpHeaders = {},
): void {
  const body = JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail })
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}
