import { InvalidTokenError, withClaimed } from '../errors.ts'
import { type Caller, endByAnswer, type JwtClaims } from '../token/claims.ts'
import type { GoodToken } from '../token/token-cache.ts'
import type { Introspection } from './introspection.ts'
import { isOpaque } from './opaque-tokens.ts'
import type { Revocation } from './revocation.ts'

/**
 * What is asked about a good token each time it comes, also when it is remembered. Rejects with InvalidTokenError when the token is no
 * longer good, also because it ended meanwhile; with TokenCheckError when that is not known.
 */
export type LateCheck = (good: GoodToken, token: string, digest: string) => Promise<Caller>

/** Undefined when nothing is asked, so that it costs nothing. */
export function createLateCheck(
  introspection: Introspection | undefined,
  revocation: Revocation | undefined,
  nowSeconds: () => number,
  clockSkewSeconds: number,
): LateCheck | undefined {
  const asked = introspection?.hasAll === true ? introspection : undefined
  if (asked === undefined && revocation === undefined) return undefined

  /** When the token ends by the answer, in epoch seconds. */
  async function endOf(claims: JwtClaims, token: string, digest: string): Promise<number> {
    // An opaque token was asked about before; a JWT is shown to nobody but its issuer.
    if (asked?.speaksFor(claims.iss) !== true || isOpaque(token)) return Number.POSITIVE_INFINITY
    const facts = await asked.factsOf(token, digest, 'jwt')
    if (facts === undefined) throw new InvalidTokenError('inactive')
    return endByAnswer(facts, claims, clockSkewSeconds)
  }

  return async ({ caller, deadAt }, token, digest) => {
    const { claims } = caller
    try {
      const end = await endOf(claims, token, digest)
      const answer = revocation?.(claims)
      if (answer !== undefined) await answer
      // The answers may have taken long.
      if (nowSeconds() >= Math.min(deadAt, end)) throw new InvalidTokenError('expired')
      return caller
    } catch (error) {
      throw withClaimed(error, claims)
    }
  }
}
