import type { ServerResponse } from 'node:http'
import { REFUSALS, type RefusalReason } from './refusal.ts'

/** 401 with an empty body. The challenge tells the reason when a token was sent (RFC 6750, section 3). */
export function answerUnauthorized(res: ServerResponse, realm: string, reason?: RefusalReason): void {
  const error = reason === undefined ? '' : `, error="invalid_token", error_description="${REFUSALS[reason]}"`
  res.writeHead(401, { 'WWW-Authenticate': `Bearer realm="${realm}"${error}`, 'Content-Length': 0 })
  res.end()
}

/** 403 exactly as the contract shows it. Written by hand: express would add a charset to the type. */
export function answerForbidden(res: ServerResponse, realm: string): void {
  res.writeHead(403, {
    'WWW-Authenticate': `Bearer realm="${realm}", error="insufficient_scope"`,
    'Content-Type': 'application/octet-stream',
    'Content-Length': 9,
  })
  res.end('Forbidden')
}

/** 400 for a request with two tokens: which one is meant can not be known (RFC 6750, section 3.1). */
export function answerAmbiguous(res: ServerResponse, realm: string): void {
  const detail = 'the request carries more than one bearer token'
  const body = JSON.stringify({ type: 'about:blank', title: 'Bad Request', status: 400, detail })
  res.writeHead(400, {
    'WWW-Authenticate': `Bearer realm="${realm}", error="invalid_request", error_description="${detail}"`,
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
  })
  res.end(body)
}
