import type { Request, RequestHandler, Response } from 'express'
import { answerAmbiguous, answerBusy, answerForbidden, answerUnauthorized } from './answers.ts'
import { readBearerToken, type TokenTransport } from './bearer-token.ts'
import type { Caller } from './claims.ts'
import { InvalidTokenError, JwtConfigError, VerifierBusyError } from './errors.ts'
import { type ClaimedIdentity, claimedIdentity, REFUSALS, type RefusalReason } from './refusal.ts'
import type { JwtVerifier } from './verifier.ts'

export interface AuthenticateOptions {
  /** `mp.jwt.token.header`: where the token is; with `Cookie` the Authorization header is ignored. Default: `Authorization`. */
  readonly header?: 'Authorization' | 'Cookie'
  /** `mp.jwt.token.cookie`: the cookie's name, with the header `Cookie`. Default: `Bearer`. */
  readonly cookie?: string
  /** Named in every challenge. Default: `api`. */
  readonly realm?: string
  /** Called for every refused request, after it was answered. */
  readonly onRefusal?: (req: Request, refusal: Refusal) => void
}

export interface Refusal {
  readonly status: 400 | 401 | 403 | 429
  /** Why the token was refused; or there was none or more than one, the caller lacks the role, or the verifier was busy. */
  readonly reason: RefusalReason | 'no_token' | 'several_tokens' | 'role' | 'busy'
  /** What the token claims; verified only when the status is 403. */
  readonly claimed: ClaimedIdentity
}

const CALLER = Symbol('jwt caller')
const RULES = Symbol('jwt rules')

type Rules = Required<Pick<AuthenticateOptions, 'realm' | 'onRefusal'>>
type AuthenticatedRequest = Request & { [CALLER]?: Caller; [RULES]?: Rules }

const NOBODY: Refusal = { status: 401, reason: 'no_token', claimed: {} }
const SEVERAL: Refusal = { status: 400, reason: 'several_tokens', claimed: {} }
const UNASKED: Rules = { realm: 'api', onRefusal: () => {} }

/**
 * Lets only requests with a valid bearer token pass, and sets the caller for {@link callerOf} and {@link requireRole}. It answers all others: 401
 * with an empty body and a challenge that says why, 400 for several tokens, 429 while the verifier is busy with forged ones.
 *
 * @throws {JwtConfigError} when header, cookie name or realm is invalid
 */
export function authenticate(verifier: Pick<JwtVerifier, 'verify'>, options: AuthenticateOptions = {}): RequestHandler {
  const { realm = UNASKED.realm, onRefusal = UNASKED.onRefusal } = options
  const transport = tokenTransport(options)
  if (!/^[\w .:/-]*$/.test(realm)) throw new JwtConfigError('realm', 'must consist of letters, digits and . : / - _')
  const rules: Rules = { realm, onRefusal }

  return async (req: AuthenticatedRequest, res, next) => {
    req[RULES] = rules
    const found = readBearerToken(req, transport)
    if (found.kind !== 'one') return refuse(req, res, found.kind === 'none' ? NOBODY : SEVERAL)
    try {
      req[CALLER] = await verifier.verify(found.token)
    } catch (error) {
      return refuse(req, res, refusalOf(error))
    }
    next()
  }
}

/**
 * Lets a request pass only if its caller's `groups` contain one of the roles; 403 otherwise, 401 without a caller. Comes after
 * {@link authenticate}.
 *
 * @throws {JwtConfigError} when no role is given
 */
export function requireRole(...roles: readonly [string, ...string[]]): RequestHandler {
  if (roles.length === 0) throw new JwtConfigError('role', 'at least one is needed')
  return (req: AuthenticatedRequest, res, next) => {
    const { [CALLER]: caller } = req
    if (caller === undefined) refuse(req, res, NOBODY)
    else if (roles.some((role) => caller.claims.groups.includes(role))) next()
    else refuse(req, res, { status: 403, reason: 'role', claimed: claimedIdentity(undefined, caller.claims) })
  }
}

function refuse(req: AuthenticatedRequest, res: Response, refusal: Refusal): void {
  const { realm, onRefusal } = req[RULES] ?? UNASKED
  const { status, reason } = refusal
  if (status === 400) answerAmbiguous(res, realm)
  else if (status === 403) answerForbidden(res, realm)
  else if (status === 429) answerBusy(res)
  else answerUnauthorized(res, realm, reason in REFUSALS ? (reason as RefusalReason) : undefined)
  onRefusal(req, refusal)
}

/** Rethrows errors that are not about the token. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof InvalidTokenError) return { status: 401, reason: error.reason, claimed: error.claimed }
  if (error instanceof VerifierBusyError) return { status: 429, reason: 'busy', claimed: {} }
  throw error
}

/** The caller of a request; undefined without {@link authenticate}. */
export function callerOf(req: Request): Caller | undefined {
  return (req as AuthenticatedRequest)[CALLER]
}

function tokenTransport({ header = 'Authorization', cookie = 'Bearer' }: AuthenticateOptions): TokenTransport {
  if (header === 'Authorization') return { header }
  if (header !== 'Cookie') throw new JwtConfigError('mp.jwt.token.header', 'must be Authorization or Cookie')
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(cookie)) throw new JwtConfigError('mp.jwt.token.cookie', 'must be a cookie name')
  return { header, cookie }
}
