import type { IncomingMessage } from 'node:http'
import { isHeaderName } from '@taproom/http'
import type { Request, RequestHandler, Response } from 'express'
import { claimedIdentity, JwtConfigError } from '../errors.ts'
import { type Caller, hasRole, isMeantFor, isScope, scopesOf } from '../token/claims.ts'
import type { JwtVerifier } from '../verifier/verifier.ts'
import { publicPaths } from './public-paths.ts'
import {
  type Refusal,
  type RefusalRules,
  refuseCaller,
  refuseSeveral,
  refuseToken,
  refuseUnauthorized,
} from './refuse.ts'

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

const CALLER = Symbol('jwt caller')
const RULES = Symbol('jwt rules')

type AuthenticatedRequest = Request & { [CALLER]?: Caller; [RULES]?: RefusalRules }

/** Without `authenticate` before. */
const NO_RULES: RefusalRules = { realm: 'api', onRefusal: () => {} }

/** The {@link Caller} of a request; undefined without {@link authenticate}, and on a public path without a token. */
export function callerOf(req: Request): Caller | undefined {
  return (req as AuthenticatedRequest)[CALLER]
}

/**
 * Lets only requests with a valid bearer token pass, and sets the caller for `callerOf`, `requireRole` and its like. It answers all
 * others: 401 with an empty body and a challenge that says why, 400 for several tokens, 429 while too many signatures wait to be checked,
 * 503 while revocation or introspection gives no answer.
 *
 * @throws {JwtConfigError} when header, cookie name, realm or a public path is invalid
 */
export function authenticate(verifier: Pick<JwtVerifier, 'verify'>, options: AuthenticateOptions = {}): RequestHandler {
  const { realm = 'api', onRefusal = () => {} } = options
  const cookie = cookieName(options)
  if (!/^[\w .:/-]*$/.test(realm)) throw new JwtConfigError('realm', 'must consist of letters, digits and . : / - _')
  const rules = { realm, onRefusal }
  const isPublic = publicPaths(options.publicPaths ?? [])

  return (req: AuthenticatedRequest, res, next) => {
    req[RULES] = rules
    const tokens = bearerTokensOf(req, cookie)
    const [token] = tokens
    if (token === undefined) return isPublic(req) ? next() : refuseUnauthorized(req, res, rules)
    if (tokens.length > 1) return refuseSeveral(req, res, rules)
    const pass = (caller: Caller) => {
      req[CALLER] = caller
      next()
    }
    const caller = verifier.verify(token)
    if (!('then' in caller)) return pass(caller)
    return Promise.resolve(caller).then(pass, (error: unknown) => refuseToken(req, res, rules, error))
  }
}

/**
 * Lets a request pass only if its caller's `groups` contain one of the roles; 403 otherwise, 401 without a caller. Comes after
 * {@link authenticate}.
 *
 * @throws {JwtConfigError} when no role is given
 */
export function requireRole(...roles: readonly string[]): RequestHandler {
  if (roles.length === 0) throw new JwtConfigError('role', 'at least one is needed')
  return requirement((caller) => roles.some((role) => hasRole(caller, role)), refuseCaller)
}

/**
 * Lets a request pass only if its caller's token has all of the scopes, in `scope` or else `scp`; 403 with a challenge that names them
 * otherwise (RFC 6750, section 3.1), 401 without a caller. Comes after {@link authenticate}.
 *
 * @throws {JwtConfigError} when no scope is given, or one with characters that no scope has
 */
export function requireScope(...scopes: readonly string[]): RequestHandler {
  if (scopes.length === 0) throw new JwtConfigError('scope', 'at least one is needed')
  if (!scopes.every(isScope)) throw new JwtConfigError('scope', 'must be of visible ASCII without quotes and backslash')
  const needed = scopes.join(' ')
  return requirement(
    ({ claims }) => {
      const granted = scopesOf(claims)
      return scopes.every((scope) => granted.includes(scope))
    },
    (req, res, rules, caller) => refuseCaller(req, res, rules, caller, needed),
  )
}

/**
 * Lets a request pass only if its caller's token is meant for one of the audiences, for routes that have their own; 401 with the reason
 * otherwise, as for any token with another audience. Comes after {@link authenticate}.
 *
 * @throws {JwtConfigError} when no audience is given, or an empty one
 */
export function requireAudience(...audiences: readonly string[]): RequestHandler {
  if (audiences.length === 0 || audiences.includes('')) throw new JwtConfigError('audience', 'at least one is needed')
  return requirement(
    ({ claims }) => isMeantFor(claims.aud, audiences),
    (req, res, rules, { claims }) => refuseUnauthorized(req, res, rules, 'audience', claimedIdentity(claims)),
  )
}

function requirement(
  isMet: (caller: Caller) => boolean,
  refuse: (req: Request, res: Response, rules: RefusalRules, caller: Caller) => void,
): RequestHandler {
  return (req: AuthenticatedRequest, res, next) => {
    const { [CALLER]: caller, [RULES]: rules = NO_RULES } = req
    if (caller === undefined) refuseUnauthorized(req, res, rules)
    else if (isMet(caller)) next()
    else refuse(req, res, rules, caller)
  }
}

const SPACE = 0x20

/** Another scheme, or an empty token, is none. With a cookie's name the Authorization header is ignored. */
export function bearerTokensOf(req: IncomingMessage, cookie: string | undefined): readonly string[] {
  return cookie === undefined ? headerTokens(req) : cookieTokens(req, cookie)
}

/** Reads the raw headers, because `req.headers` keeps only the first Authorization header. */
function headerTokens({ rawHeaders }: IncomingMessage): string[] {
  const tokens: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 13 && name.toLowerCase() === 'authorization')
      tokens.push(...bearerTokens(rawHeaders[i + 1] ?? ''))
  }
  return tokens
}

/**
 * The tokens of one header: several when a proxy has joined repeated headers with commas (RFC 9110, section 5.3). A comma that is not followed by
 * `Bearer` is part of an invalid token.
 */
function bearerTokens(value: string): string[] {
  const token = bearerToken(value)
  if (token === '') return []
  if (!token.includes(',')) return [token]
  const others = token.split(',').map((part) => bearerToken(part.trim()))
  return [token, ...others.filter((other) => other !== '')]
}

/** The text after the scheme `Bearer`, in any case; '' for another scheme. */
function bearerToken(value: string): string {
  if (value.slice(0, 7).toLowerCase() !== 'bearer ') return ''
  return value.charCodeAt(7) === SPACE ? value.slice(7).replace(/^ +/, '') : value.slice(7)
}

function cookieTokens(req: IncomingMessage, name: string): string[] {
  const tokens: string[] = []
  for (const pair of (req.headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals === -1 || pair.slice(0, equals).trim() !== name) continue
    const token = withoutQuotes(pair.slice(equals + 1).trim())
    if (token !== '') tokens.push(token)
  }
  return tokens
}

/** A cookie value may be in double quotes (RFC 6265, section 4.1.1). */
function withoutQuotes(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
}

function cookieName({ header = 'Authorization', cookie = 'Bearer' }: AuthenticateOptions): string | undefined {
  if (header === 'Authorization') return undefined
  if (header !== 'Cookie') throw new JwtConfigError('mp.jwt.token.header', 'must be Authorization or Cookie')
  if (!isHeaderName(cookie)) throw new JwtConfigError('mp.jwt.token.cookie', 'must be a cookie name')
  return cookie
}
