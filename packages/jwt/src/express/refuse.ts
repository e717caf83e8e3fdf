import { sendProblem } from '@taproom/http'
import type { Request, Response } from 'express'
import {
  type ClaimedIdentity,
  claimedIdentity,
  InvalidTokenError,
  REFUSALS,
  type RefusalReason,
  TokenCheckError,
  VerifierBusyError,
} from '../errors.ts'
import type { Caller } from '../token/claims.ts'

export interface Refusal {
  readonly status: 400 | 401 | 403 | 429 | 503
  /** Why the token was refused; or there was none or more than one, the caller lacks role or scope, or the token could not be checked. */
  readonly reason: RefusalReason | 'no_token' | 'several_tokens' | 'role' | 'scope' | 'busy' | 'unavailable'
  /** The identity that the token claims; verified when the status is 403. */
  readonly claimed: ClaimedIdentity
}

export interface RefusalRules {
  readonly realm: string
  readonly onRefusal: (req: Request, refusal: Refusal) => void
}

/** On every answer that depends on a token, so that no cache serves it to another caller. */
const NOT_STORED = { 'Cache-Control': 'no-store' }

/** 401 with an empty body. The challenge says why when a token was sent (RFC 6750, section 3). */
export function refuseUnauthorized(
  req: Request,
  res: Response,
  { realm, onRefusal }: RefusalRules,
  reason: RefusalReason | 'no_token' = 'no_token',
  claimed: ClaimedIdentity = {},
): void {
  const error = reason === 'no_token' ? '' : `, error="invalid_token", error_description="${REFUSALS[reason]}"`
  const challenge = `Bearer realm="${realm}"${error}`
  res.writeHead(401, { ...NOT_STORED, 'WWW-Authenticate': challenge, 'Content-Length': 0 })
  res.end()
  onRefusal(req, { status: 401, reason, claimed })
}

/** 400 for a request with several tokens (RFC 6750, section 3.1). */
export function refuseSeveral(req: Request, res: Response, { realm, onRefusal }: RefusalRules): void {
  const detail = 'the request carries more than one bearer token'
  const challenge = `Bearer realm="${realm}", error="invalid_request", error_description="${detail}"`
  sendProblem(res, { status: 400, detail, headers: { 'WWW-Authenticate': challenge } })
  onRefusal(req, { status: 400, reason: 'several_tokens', claimed: {} })
}

/** Rethrows errors that are not about the token. */
export function refuseToken(req: Request, res: Response, rules: RefusalRules, error: unknown): void {
  if (error instanceof InvalidTokenError) {
    refuseUnauthorized(req, res, rules, error.reason, error.claimed)
  } else if (error instanceof VerifierBusyError) {
    sendProblem(res, { status: 429, detail: error.message, headers: { 'Retry-After': 1 } })
    rules.onRefusal(req, { status: 429, reason: 'busy', claimed: {} })
  } else if (error instanceof TokenCheckError) {
    sendProblem(res, { status: 503, detail: 'the token can not be checked now', headers: { 'Retry-After': 1 } })
    rules.onRefusal(req, { status: 503, reason: 'unavailable', claimed: {} })
  } else {
    throw error
  }
}

/**
 * 403 exactly as in the contract, for a caller whose token is good but not for this. Not sent through express, which would add a charset to
 * the type. `scope` are the scopes that are needed (RFC 6750, section 3); they must be checked before.
 */
export function refuseCaller(
  req: Request,
  res: Response,
  { realm, onRefusal }: RefusalRules,
  { claims }: Caller,
  scope?: string,
): void {
  const needed = scope === undefined ? '' : `, scope="${scope}"`
  res.writeHead(403, {
    ...NOT_STORED,
    'WWW-Authenticate': `Bearer realm="${realm}", error="insufficient_scope"${needed}`,
    'Content-Type': 'application/octet-stream',
    'Content-Length': 9,
    'X-Content-Type-Options': 'nosniff',
  })
  res.end('Forbidden')
  const reason = scope === undefined ? 'role' : 'scope'
  onRefusal(req, { status: 403, reason, claimed: claimedIdentity(claims) })
}
