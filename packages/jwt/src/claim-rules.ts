import { InvalidTokenError } from './errors.ts'

/** How far in the future a token may have been issued, in seconds: clocks differ a little. */
const ISSUED_AHEAD_SECONDS = 60

/** The rules about time that come on top of exp and nbf. */
export interface TimeRules {
  readonly clockSkewSeconds: number
  readonly maxTokenAgeSeconds: number | undefined
}

/**
 * Checks `iat` against `exp` and the clock (same rules as SmallRye, and a bound for tokens from the future), and the token's age.
 * Returns the moment from which the token is dead, in epoch seconds.
 *
 * @throws InvalidTokenError with the reason `claim`, `not_yet_valid` or `too_old`
 */
export function checkTimes({ exp, iat }: { exp: number; iat: number }, now: number, rules: TimeRules): number {
  if (iat > exp) throw new InvalidTokenError('claim')
  if (iat > now + ISSUED_AHEAD_SECONDS) throw new InvalidTokenError('not_yet_valid')
  const { clockSkewSeconds, maxTokenAgeSeconds = Number.POSITIVE_INFINITY } = rules
  const tooOldAt = iat + maxTokenAgeSeconds + clockSkewSeconds
  if (now >= tooOldAt) throw new InvalidTokenError('too_old')
  return Math.min(exp + clockSkewSeconds, tooOldAt)
}
