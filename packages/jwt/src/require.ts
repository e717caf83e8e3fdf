import type { Request, RequestHandler, Response } from 'express'
import { callerOf, refuseAudience, refuseCaller, refuseNobody } from './authenticated-request.ts'
import { isMeantFor } from './claim-rules.ts'
import type { Caller } from './claims.ts'
import { JwtConfigError } from './errors.ts'
import { isScope, scopesOf } from './scopes.ts'

type Some = readonly [string, ...string[]]

/**
 * Lets a request pass only if its caller's `groups` contain one of the roles; 403 otherwise, 401 without a caller. Comes after
 * {@link authenticate}.
 *
 * @throws {JwtConfigError} when no role is given
 */
export function requireRole(...roles: Some): RequestHandler {
  if (roles.length === 0) throw new JwtConfigError('role', 'at least one is needed')
  return requirement(({ claims }) => roles.some((role) => claims.groups.includes(role)), refuseCaller)
}

/**
 * Lets a request pass only if its caller's token has all of the scopes, in `scope` or else `scp`; 403 with a challenge that names them
 * otherwise (RFC 6750, section 3.1), 401 without a caller. Comes after {@link authenticate}.
 *
 * @throws {JwtConfigError} when no scope is given, or one with characters that no scope has
 */
export function requireScope(...scopes: Some): RequestHandler {
  if (scopes.length === 0) throw new JwtConfigError('scope', 'at least one is needed')
  if (!scopes.every(isScope)) throw new JwtConfigError('scope', 'must be of visible ASCII without quotes and backslash')
  const needed = scopes.join(' ')
  return requirement(
    ({ claims }) => {
      const granted = scopesOf(claims)
      return scopes.every((scope) => granted.includes(scope))
    },
    (req, res, caller) => refuseCaller(req, res, caller, needed),
  )
}

/**
 * Lets a request pass only if its caller's token is meant for one of the audiences, for routes that have their own; 401 with the reason
 * otherwise, as for any token with another audience. Comes after {@link authenticate}.
 *
 * @throws {JwtConfigError} when no audience is given, or an empty one
 */
export function requireAudience(...audiences: Some): RequestHandler {
  if (audiences.length === 0 || audiences.includes('')) throw new JwtConfigError('audience', 'at least one is needed')
  return requirement(({ claims }) => isMeantFor(claims.aud, audiences), refuseAudience)
}

function requirement(
  isMet: (caller: Caller) => boolean,
  refuse: (req: Request, res: Response, caller: Caller) => void,
): RequestHandler {
  return (req, res, next) => {
    const caller = callerOf(req)
    if (caller === undefined) refuseNobody(req, res)
    else if (isMet(caller)) next()
    else refuse(req, res, caller)
  }
}
