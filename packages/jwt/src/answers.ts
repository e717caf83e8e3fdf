import type { ServerResponse } from 'node:http'
import { sendProblem } from '@taproom/http'
import { REFUSALS, type RefusalReason } from './refusal.ts'

/** On every answer that depends on a token, so that no cache serves it to another caller. */
const NOT_STORED = { 'Cache-Control': 'no-store' }

/** 401 with an empty body. The challenge says why when a token was sent (RFC 6750, section 3). */
export function answerUnauthorized(res: ServerResponse, realm: string, reason?: RefusalReason): void {
  const error = reason === undefined ? '' : `, error="invalid_token", error_description="${REFUSALS[reason]}"`
  const challenge = `Bearer realm="${realm}"${error}`
  res.writeHead(401, { ...NOT_STORED, 'WWW-Authenticate': challenge, 'Content-Length': 0 })
  res.end()
}

/**
 * 403 exactly as in the contract. Not sent through express, which would add a charset to the type. `scope` are the scopes that are needed
 * (RFC 6750, section 3); they must be checked before.
 */
export function answerForbidden(res: ServerResponse, realm: string, scope?: string): void {
  const needed = scope === undefined ? '' : `, scope="${scope}"`
  res.writeHead(403, {
    ...NOT_STORED,
    'WWW-Authenticate': `Bearer realm="${realm}", error="insufficient_scope"${needed}`,
    'Content-Type': 'application/octet-stream',
    'Content-Length': 9,
    'X-Content-Type-Options': 'nosniff',
  })
  res.end('Forbidden')
}

/** 400 for a request with several tokens (RFC 6750, section 3.1). */
export function answerAmbiguous(res: ServerResponse, realm: string): void {
  const detail = 'the request carries more than one bearer token'
  const challenge = `Bearer realm="${realm}", error="invalid_request", error_description="${detail}"`
  sendProblem(res, { status: 400, detail, headers: { 'WWW-Authenticate': challenge } })
}

/** 429 for a token that cannot be checked now. */
export function answerBusy(res: ServerResponse): void {
  const detail = 'too many tokens wait for their signatures to be checked'
  sendProblem(res, { status: 429, detail, headers: { 'Retry-After': 1 } })
}

/** 503 for a token about which nobody answered: never accepted, and not refused either. */
export function answerUnavailable(res: ServerResponse): void {
  sendProblem(res, { status: 503, detail: 'the token can not be checked now', headers: { 'Retry-After': 1 } })
}
