import type { Request, RequestHandler } from 'express'
import { answerAmbiguous, answerForbidden, answerUnauthorized } from './answers.ts'
import { readBearerToken, type TokenTransport } from './bearer-token.ts'
import type { Caller } from './claims.ts'
import { InvalidTokenError, JwtConfigError } from './errors.ts'
import type { JwtVerifier } from './verifier.ts'

/** Options of {@link authenticate}. */
export interface AuthenticateOptions {
  /** `mp.jwt.token.header`: where the token is. With `Cookie` the Authorization header is ignored. Default: `Authorization`. */
  readonly header?: 'Authorization' | 'Cookie'
  /** `mp.jwt.token.cookie`: the cookie's name, with the header `Cookie`. Default: `Bearer`. */
  readonly cookie?: string
  /** Named in every challenge. Default: `api`. */
  readonly realm?: string
  /** Lets requests without a token pass as nobody; a bad token is refused all the same. Default: false. */
  readonly optional?: boolean
}

const CALLER = Symbol('jwt caller')
const REALM = Symbol('jwt realm')

type AuthenticatedRequest = Request & { [CALLER]?: Caller; [REALM]?: string }

/**
 * Lets a request pass only with a valid bearer token, and remembers its caller for {@link callerOf} and {@link requireRole}. It answers
 * everything else itself: 401 with an empty body and a challenge that tells why, 400 for two tokens.
 *
 * @throws JwtConfigError for a header, cookie name or realm that can not work
 */
export function authenticate(verifier: Pick<JwtVerifier, 'verify'>, options: AuthenticateOptions = {}): RequestHandler {
  const { realm = 'api', optional = false } = options
  const transport = tokenTransport(options)
  if (!/^[\w .:/-]*$/.test(realm)) throw new JwtConfigError('realm', 'must consist of letters, digits and . : / - _')

  return async (req: AuthenticatedRequest, res, next) => {
    req[REALM] = realm
    const found = readBearerToken(req, transport)
    if (found.kind === 'several') return answerAmbiguous(res, realm)
    if (found.kind === 'none') return optional ? next() : answerUnauthorized(res, realm)
    try {
      req[CALLER] = await verifier.verify(found.token)
    } catch (error) {
      if (error instanceof InvalidTokenError) return answerUnauthorized(res, realm, error.reason)
      throw error
    }
    next()
  }
}

/**
 * Lets a request pass only if its caller's `groups` hold one of the roles; 403 otherwise, 401 for nobody. Comes after
 * {@link authenticate}.
 *
 * @throws JwtConfigError without a role
 */
export function requireRole(...roles: readonly [string, ...string[]]): RequestHandler {
  if (roles.length === 0) throw new JwtConfigError('role', 'at least one is needed')
  return (req: AuthenticatedRequest, res, next) => {
    const { [CALLER]: caller, [REALM]: realm = 'api' } = req
    if (caller === undefined) answerUnauthorized(res, realm)
    else if (roles.some((role) => caller.claims.groups.includes(role))) next()
    else answerForbidden(res, realm)
  }
}

/** Who sent the request; undefined when it carried no token, or {@link authenticate} was not asked. */
export function callerOf(req: Request): Caller | undefined {
  return (req as AuthenticatedRequest)[CALLER]
}

function tokenTransport({ header = 'Authorization', cookie = 'Bearer' }: AuthenticateOptions): TokenTransport {
  if (header === 'Authorization') return { header }
  if (header !== 'Cookie') throw new JwtConfigError('mp.jwt.token.header', 'must be Authorization or Cookie')
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(cookie)) throw new JwtConfigError('mp.jwt.token.cookie', 'must be a cookie name')
  return { header, cookie }
}
