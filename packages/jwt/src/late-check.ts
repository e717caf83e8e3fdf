import type { Caller } from './claims.ts'
import { InvalidTokenError } from './errors.ts'
import type { Introspection } from './introspection.ts'
import { isOpaque } from './opaque-tokens.ts'
import { claimedIdentity } from './refusal.ts'
import type { Revocation } from './revocation.ts'

/**
 * What is asked about a good token each time it comes, also when it is remembered. Rejects with InvalidTokenError when the token is no
 * longer good, with TokenCheckError when that is not known.
 */
export type LateCheck = (caller: Caller, token: string, digest: string) => Promise<void>

/** Undefined when nothing is asked, so that it costs nothing. */
export function createLateCheck(
  introspection: Introspection | undefined,
  revocation: Revocation | undefined,
): LateCheck | undefined {
  const asked = introspection?.hasAll === true ? introspection : undefined
  if (asked === undefined && revocation === undefined) return undefined
  return async ({ claims }, token, digest) => {
    try {
      // An opaque token was asked about before.
      const isKnown = asked === undefined || isOpaque(token)
      if (!isKnown && (await asked.factsOf(token, digest)) === undefined) throw new InvalidTokenError('inactive')
      const answer = revocation?.(claims)
      if (answer !== undefined) await answer
    } catch (error) {
      if (!(error instanceof InvalidTokenError)) throw error
      throw new InvalidTokenError(error.reason, { claimed: claimedIdentity(undefined, claims), cause: error })
    }
  }
}
