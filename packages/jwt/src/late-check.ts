import type { Caller, JwtClaims } from './claims.ts'
import { InvalidTokenError } from './errors.ts'
import type { Introspection } from './introspection.ts'
import { isOpaque } from './opaque-tokens.ts'
import { claimedIdentity } from './refusal.ts'
import type { Revocation } from './revocation.ts'
import type { GoodToken } from './token-cache.ts'

/**
 * What is asked about a good token each time it comes, also when it is remembered. Rejects with InvalidTokenError when the token is no
 * longer good, also because it ended meanwhile; with TokenCheckError when that is not known.
 */
export type LateCheck = (good: GoodToken, token: string, digest: string) => Promise<Caller>

export interface LateQuestions {
  readonly introspection: Introspection | undefined
  readonly revocation: Revocation | undefined
  readonly nowSeconds: () => number
}

/** Undefined when nothing is asked, so that it costs nothing. */
export function createLateCheck({ introspection, revocation, nowSeconds }: LateQuestions): LateCheck | undefined {
  const asked = introspection?.hasAll === true ? introspection : undefined
  if (asked === undefined && revocation === undefined) return undefined

  async function ask(claims: JwtClaims, token: string, digest: string): Promise<void> {
    // An opaque token was asked about before; a JWT is shown to nobody but its issuer.
    const isAsked = asked?.speaksFor(claims.iss) === true && !isOpaque(token)
    if (isAsked && (await asked.factsOf(token, digest)) === undefined) throw new InvalidTokenError('inactive')
    const answer = revocation?.(claims)
    if (answer !== undefined) await answer
  }

  return async ({ caller, deadAt }, token, digest) => {
    const known = await caller
    try {
      await ask(known.claims, token, digest)
      // The answers may have taken long.
      if (nowSeconds() >= deadAt) throw new InvalidTokenError('expired')
      return known
    } catch (error) {
      if (!(error instanceof InvalidTokenError)) throw error
      throw new InvalidTokenError(error.reason, { claimed: claimedIdentity(undefined, known.claims), cause: error })
    }
  }
}
