import { isJsonObject } from '@taproom/core/limits'
import { InvalidTokenError } from '../errors.ts'
import { type RolePath, rolesAt } from './role-paths.ts'

/**
 * The claims of a verified token. The claims below have the declared type, and are left out if the token has another type. All other claims
 * are as in the token.
 */
export interface JwtClaims {
  /** One of the configured issuers. */
  readonly iss: string
  /** Expiry, in epoch seconds. */
  readonly exp: number
  /** Issued at, in epoch seconds. */
  readonly iat: number
  /** Not valid before, in epoch seconds. */
  readonly nbf?: number
  readonly sub?: string
  readonly aud?: string | readonly string[]
  /** User principal name, formatted as an e-mail address. */
  readonly upn?: string
  readonly preferred_username?: string
  /** Birth date, `YYYY-MM-DD`. */
  readonly birthdate?: string
  /** Authentication time, in epoch seconds. */
  readonly auth_time?: number
  readonly jti?: string
  /** The caller's roles: those of the claim if it is an array of strings, and those at the configured paths. */
  readonly groups: readonly string[]
  /** Group name to role name. Has no effect on role checks. */
  readonly roleMappings?: Readonly<Record<string, string>>
  readonly [claim: string]: unknown
}

/** The caller of a request, by its verified token: `callerOf(req)` gives it, and so does `verify` of a verifier. */
export interface Caller {
  /** MicroProfile's principal name: `upn`, else `preferred_username`, else `sub`. Never empty. */
  readonly name: string
  /** All claims of the token; `groups` are the roles. */
  readonly claims: JwtClaims
}

/**
 * True when the caller has the role, by the same rule as `requireRole`: one of `claims.groups` is equal to it, case included. False for no
 * caller, as `callerOf` gives on a public path. For what depends on a role within a handler; a whole route takes `requireRole`.
 *
 * ```ts
 * const orders = hasRole(callerOf(req), 'Clerk') ? await store.all() : await store.ofCustomer(name)
 * ```
 */
export function hasRole(caller: Caller | undefined, role: string): boolean {
  return caller?.claims.groups.includes(role) ?? false
}

/** A payload whose issuer and times have been checked. */
export type CheckedPayload = Readonly<Record<string, unknown>> & Pick<JwtClaims, 'iss' | 'exp' | 'iat' | 'nbf'>

/** How far in the future `iat` may be, in seconds, because clocks differ. */
const ISSUED_AHEAD_SECONDS = 60

export interface ClaimRules {
  /** Undefined or empty: `aud` is not checked. */
  readonly audiences: readonly string[] | undefined
  readonly clockSkewSeconds: number
  readonly maxTokenAgeSeconds: number | undefined
  /** True: a token must have all claims of an access token (RFC 9068, section 2.2). */
  readonly isAccessToken: boolean
  /** Places of roles besides the list `groups`. */
  readonly rolePaths: readonly RolePath[]
}

export interface CheckedClaims {
  readonly payload: CheckedPayload
  /** When the token becomes invalid, in epoch seconds. */
  readonly deadAt: number
}

/**
 * Checks audience and times: `exp` and `iat` are required, `iat` must not be after `exp` (same rule as SmallRye) or far in the future.
 *
 * @throws {InvalidTokenError} when a check fails, with the reason `audience`, `claim`, `not_yet_valid`, `expired` or `too_old`
 */
export function checkClaims(payload: Readonly<Record<string, unknown>>, now: number, rules: ClaimRules): CheckedClaims {
  const { clockSkewSeconds, maxTokenAgeSeconds = Number.POSITIVE_INFINITY } = rules
  if (rules.audiences?.length && !isMeantFor(payload['aud'], rules.audiences)) throw new InvalidTokenError('audience')
  if (rules.isAccessToken && !isAccessToken(payload)) throw new InvalidTokenError('claim')
  if (!hasTimes(payload)) throw new InvalidTokenError('claim')
  const { iat, nbf, exp } = payload
  if (nbf !== undefined && nbf > now + clockSkewSeconds) throw new InvalidTokenError('not_yet_valid')
  if (exp <= now - clockSkewSeconds) throw new InvalidTokenError('expired')
  if (iat > exp) throw new InvalidTokenError('claim')
  if (iat > now + ISSUED_AHEAD_SECONDS) throw new InvalidTokenError('not_yet_valid')
  const tooOldAt = iat + maxTokenAgeSeconds + clockSkewSeconds
  if (now >= tooOldAt) throw new InvalidTokenError('too_old')
  return { payload, deadAt: Math.min(exp + clockSkewSeconds, tooOldAt) }
}

/**
 * Checks the answer of another source about a verified token: it need not repeat `iss` and `exp`, but if it does, `iss` must be the same, and the token
 * ends no later. Returns when it ends, in epoch seconds.
 *
 * @throws {InvalidTokenError} with the reason `issuer` or `claim`
 */
export function endByAnswer(
  { iss, exp }: Readonly<Record<string, unknown>>,
  claims: JwtClaims,
  clockSkewSeconds: number,
): number {
  if (iss !== undefined && iss !== claims.iss) throw new InvalidTokenError('issuer')
  if (exp === undefined) return Number.POSITIVE_INFINITY
  if (typeof exp !== 'number' || !Number.isFinite(exp)) throw new InvalidTokenError('claim')
  return exp + clockSkewSeconds
}

function isOneOf(value: unknown, texts: readonly string[]): boolean {
  return texts.some((text) => text === value)
}

/** True when `aud`, a text or a list, shares one of the audiences (RFC 7519, section 4.1.3). */
export function isMeantFor(aud: unknown, audiences: readonly string[]): boolean {
  return Array.isArray(aud) ? aud.some((one) => isOneOf(one, audiences)) : isOneOf(aud, audiences)
}

/** `iss` was looked up before. A number such as 1e400 is parsed as Infinity, which would be an `exp` that never comes. */
function hasTimes(payload: Readonly<Record<string, unknown>>): payload is CheckedPayload {
  const { iat, nbf, exp } = payload
  return Number.isFinite(iat) && Number.isFinite(exp) && (nbf === undefined || Number.isFinite(nbf))
}

/** Issuer, audience and times are checked for any token. */
function isAccessToken(payload: Readonly<Record<string, unknown>>): boolean {
  return ['sub', 'client_id', 'jti'].every((claim) => typeof payload[claim] === 'string' && payload[claim] !== '')
}

/**
 * Leaves out known claims of a wrong type, adds the roles at the paths to `groups`, and freezes the result, because requests share it
 * through the cache. Returns the payload itself if all types are right.
 */
function typedClaims(checked: CheckedPayload, { rolePaths }: ClaimRules): JwtClaims {
  const payload = rolePaths.length === 0 ? checked : { ...checked, groups: rolesAt(checked, rolePaths) }
  const unfit = PROMISES.filter(([claim, isPromised]) => payload[claim] !== undefined && !isPromised(payload[claim]))
  if (unfit.length === 0 && 'groups' in payload) return deepFreeze(payload as CheckedPayload & JwtClaims)
  const kept = Object.entries(payload).filter(([claim]) => !unfit.some(([one]) => one === claim))
  const { iss, exp, iat } = payload
  return deepFreeze({ groups: [], ...Object.fromEntries(kept), iss, exp, iat })
}

/** The claims that name the caller, the first one that has a text. */
export const PRINCIPAL_CLAIMS = ['upn', 'preferred_username', 'sub']

/** @throws {InvalidTokenError} with the reason `principal` when no claim names the caller */
export function callerBy(
  payload: CheckedPayload,
  rules: ClaimRules,
  names: readonly string[] = PRINCIPAL_CLAIMS,
): Caller {
  const claims = typedClaims(payload, rules)
  const name = names.map((claim) => claims[claim]).find((value) => isText(value) && value !== '')
  if (!isText(name)) throw new InvalidTokenError('principal')
  return Object.freeze({ name, claims })
}

const PROMISES: readonly (readonly [claim: string, isPromised: (value: unknown) => boolean])[] = [
  ['sub', isText],
  ['upn', isText],
  ['preferred_username', isText],
  ['birthdate', isText],
  ['jti', isText],
  ['aud', (value) => isText(value) || isTextList(value)],
  ['auth_time', Number.isFinite],
  ['nbf', Number.isFinite],
  ['groups', isTextList],
  ['roleMappings', isTextRecord],
]

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText)
}

function isTextRecord(value: unknown): boolean {
  return isJsonObject(value) && Object.values(value).every(isText)
}

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) deepFreeze(member)
  }
  return Object.freeze(value)
}

/**
 * The scopes of the token: `scope`, a list with spaces (RFC 8693, section 4.2), or else `scp`, which some issuers write instead;
 * either may be an array of texts, too. Anything else gives no scope.
 */
export function scopesOf({ scope, scp }: JwtClaims): readonly string[] {
  const granted = scope ?? scp
  if (typeof granted === 'string') return granted.split(' ').filter((one) => one !== '')
  return Array.isArray(granted) ? granted.filter((one) => typeof one === 'string') : []
}

/** A scope's characters (RFC 6749, section 3.3), none of which ends the quoted text of a challenge. */
export function isScope(text: string): boolean {
  return /^[!#-[\]-~]+$/.test(text)
}
