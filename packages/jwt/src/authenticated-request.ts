import type { Request, Response } from 'express'
import { answerForbidden, answerUnauthorized } from './answers.ts'
import type { Caller } from './claims.ts'
import { type ClaimedIdentity, claimedIdentity, type RefusalReason } from './refusal.ts'

export interface Refusal {
  readonly status: 400 | 401 | 403 | 429 | 503
  /** Why the token was refused; or there was none or more than one, the caller lacks role or scope, or the token could not be checked. */
  readonly reason: RefusalReason | 'no_token' | 'several_tokens' | 'role' | 'scope' | 'busy' | 'unavailable'
  /** What the token claims; verified when the status is 403. */
  readonly claimed: ClaimedIdentity
}

/** What `authenticate` was told, for those that refuse after it. */
export interface RefusalRules {
  readonly realm: string
  readonly onRefusal: (req: Request, refusal: Refusal) => void
}

const CALLER = Symbol('jwt caller')
const RULES = Symbol('jwt rules')

type AuthenticatedRequest = Request & { [CALLER]?: Caller; [RULES]?: RefusalRules }

/** Without `authenticate` before. */
const UNASKED: RefusalRules = { realm: 'api', onRefusal: () => {} }

/** The caller of a request; undefined without {@link authenticate}, and for nobody on a public path. */
export function callerOf(req: Request): Caller | undefined {
  return (req as AuthenticatedRequest)[CALLER]
}

export function setCaller(req: Request, caller: Caller): void {
  ;(req as AuthenticatedRequest)[CALLER] = caller
}

export function setRules(req: Request, rules: RefusalRules): void {
  ;(req as AuthenticatedRequest)[RULES] = rules
}

export function rulesOf(req: Request): RefusalRules {
  return (req as AuthenticatedRequest)[RULES] ?? UNASKED
}

export function refuseNobody(req: Request, res: Response): void {
  const { realm, onRefusal } = rulesOf(req)
  answerUnauthorized(res, realm)
  onRefusal(req, { status: 401, reason: 'no_token', claimed: {} })
}

/** 403 for a caller whose token is good but not for this. `scope`: what would be needed. */
export function refuseCaller(req: Request, res: Response, { claims }: Caller, scope?: string): void {
  const { realm, onRefusal } = rulesOf(req)
  answerForbidden(res, realm, scope)
  const reason = scope === undefined ? 'role' : 'scope'
  onRefusal(req, { status: 403, reason, claimed: claimedIdentity(undefined, claims) })
}

/** 401 for a caller whose token is meant for others. */
export function refuseAudience(req: Request, res: Response, { claims }: Caller): void {
  const { realm, onRefusal } = rulesOf(req)
  answerUnauthorized(res, realm, 'audience')
  onRefusal(req, { status: 401, reason: 'audience', claimed: claimedIdentity(undefined, claims) })
}
