import type { CheckedPayload, JwtClaims } from './claims.ts'
import { InvalidTokenError } from './errors.ts'

/** How far in the future `iat` may be, in seconds, because clocks differ. */
const ISSUED_AHEAD_SECONDS = 60

export interface ClaimRules {
  /** Undefined or empty: `aud` is not checked. */
  readonly audiences: readonly string[] | undefined
  readonly clockSkewSeconds: number
  readonly maxTokenAgeSeconds: number | undefined
  /** Whether a token must have all claims of an access token (RFC 9068, section 2.2). */
  readonly isAccessToken: boolean
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
 * What another source says of a verified token: it need not repeat `iss` and `exp`, but if it does, `iss` must be the same, and the token
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

/** Whether `aud`, a text or a list, shares one of the audiences (RFC 7519, section 4.1.3). */
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
