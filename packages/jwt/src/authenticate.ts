import type { Request, RequestHandler, Response } from 'express'
import { answerAmbiguous, answerBusy, answerUnauthorized, answerUnavailable } from './answers.ts'
import { verifyAtOnce } from './at-once.ts'
import { type Refusal, refuseNobody, rulesOf, setCaller, setRules } from './authenticated-request.ts'
import { readBearerToken, type TokenTransport } from './bearer-token.ts'
import type { Caller } from './claims.ts'
import { InvalidTokenError, JwtConfigError, TokenCheckError, VerifierBusyError } from './errors.ts'
import { publicPaths } from './public-paths.ts'
import type { JwtVerifier } from './verifier.ts'

export interface AuthenticateOptions {
  /** `mp.jwt.token.header`: where the token is; with `Cookie` the Authorization header is ignored. Default: `Authorization`. */
  readonly header?: 'Authorization' | 'Cookie'
  /** `mp.jwt.token.cookie`: the cookie's name, with the header `Cookie`. Default: `Bearer`. */
  readonly cookie?: string
  /** Named in every challenge. Default: `api`. */
  readonly realm?: string
  /**
   * Paths that need no token: `/health` itself, `/assets/*` all below `/assets/`. A token that is sent there is checked all the same. For
   * an app that denies by default, use {@link authenticate} once, before all routes. Default: none.
   */
  readonly publicPaths?: readonly string[]
  /** Called for every refused request, after it was answered. */
  readonly onRefusal?: (req: Request, refusal: Refusal) => void
}

/**
 * Lets only requests with a valid bearer token pass, and sets the caller for `callerOf`, `requireRole` and its like. It answers all
 * others: 401 with an empty body and a challenge that says why, 400 for several tokens, 429 while the verifier is busy with forged ones,
 * 503 while it cannot be asked whether a token is revoked or active.
 *
 * @throws {JwtConfigError} when header, cookie name, realm or a public path is invalid
 */
export function authenticate(verifier: Pick<JwtVerifier, 'verify'>, options: AuthenticateOptions = {}): RequestHandler {
  const { realm = 'api', onRefusal = () => {} } = options
  const transport = tokenTransport(options)
  if (!/^[\w .:/-]*$/.test(realm)) throw new JwtConfigError('realm', 'must consist of letters, digits and . : / - _')
  const rules = { realm, onRefusal }
  const isPublic = publicPaths(options.publicPaths ?? [])

  return (req, res, next) => {
    setRules(req, rules)
    const found = readBearerToken(req, transport)
    if (found.kind === 'none') return isPublic(req) ? next() : refuseNobody(req, res)
    if (found.kind === 'several') return refuseSeveral(req, res)
    const pass = (caller: Caller) => {
      setCaller(req, caller)
      next()
    }
    const caller = verifyAtOnce(verifier, found.token)
    // Most tokens are known: without a promise, nothing of a request outlives it.
    if (!('then' in caller)) return pass(caller)
    return Promise.resolve(caller).then(pass, (error: unknown) => refuseToken(req, res, error))
  }
}

function refuseSeveral(req: Request, res: Response): void {
  const { realm, onRefusal } = rulesOf(req)
  answerAmbiguous(res, realm)
  onRefusal(req, { status: 400, reason: 'several_tokens', claimed: {} })
}

/** Rethrows errors that are not about the token. */
function refuseToken(req: Request, res: Response, error: unknown): void {
  const { realm, onRefusal } = rulesOf(req)
  if (error instanceof InvalidTokenError) {
    answerUnauthorized(res, realm, error.reason)
    onRefusal(req, { status: 401, reason: error.reason, claimed: error.claimed })
  } else if (error instanceof VerifierBusyError) {
    answerBusy(res)
    onRefusal(req, { status: 429, reason: 'busy', claimed: {} })
  } else if (error instanceof TokenCheckError) {
    answerUnavailable(res)
    onRefusal(req, { status: 503, reason: 'unavailable', claimed: {} })
  } else {
    throw error
  }
}

function tokenTransport({ header = 'Authorization', cookie = 'Bearer' }: AuthenticateOptions): TokenTransport {
  if (header === 'Authorization') return { header }
  if (header !== 'Cookie') throw new JwtConfigError('mp.jwt.token.header', 'must be Authorization or Cookie')
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(cookie)) throw new JwtConfigError('mp.jwt.token.cookie', 'must be a cookie name')
  return { header, cookie }
}
