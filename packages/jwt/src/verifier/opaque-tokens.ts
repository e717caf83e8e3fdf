import { LIMITS } from '@taproom/core/limits'
import { InvalidTokenError, withClaimed } from '../errors.ts'
import { callerBy, checkClaims, PRINCIPAL_CLAIMS } from '../token/claims.ts'
import type { TrustedIssuers } from '../token/signed-token.ts'
import type { GoodToken } from '../token/token-cache.ts'
import type { Introspection } from './introspection.ts'

interface OpaqueRules {
  readonly introspection: Introspection
  readonly issuers: TrustedIssuers
  readonly nowSeconds: () => number
}

/** Whether a token has not the form of a JWT, signed (three parts) or encrypted (five). */
export function isOpaque(token: string): boolean {
  const parts = token.split('.', 6).length
  return parts !== 3 && parts !== 5
}

/**
 * Accepts a token that only its issuer can read. What the endpoint says is held to the rules for a JWT: one of the issuers for which it
 * speaks, `exp`, `iat`, times, audience. The caller's name is `upn`, `preferred_username`, `sub`, `username` or `client_id`.
 *
 * @throws {InvalidTokenError} when the token is refused
 * @throws {TokenCheckError} when the endpoint does not say
 */
export async function acceptOpaque(
  token: string,
  digest: string,
  { introspection, issuers, nowSeconds }: OpaqueRules,
): Promise<GoodToken> {
  // The characters of a bearer token (RFC 6750, section 2.1).
  if (token.length > LIMITS.tokenBytes || !/^[\w.~+/-]+=*$/.test(token)) throw new InvalidTokenError('malformed')
  const facts = await introspection.factsOf(token, digest, 'opaque')
  if (facts === undefined) throw new InvalidTokenError('inactive')
  try {
    const issuer = introspection.speaksFor(facts['iss']) ? issuers.get(facts['iss']) : undefined
    if (issuer === undefined) throw new InvalidTokenError('issuer')
    // The time of now: the answer may have taken long.
    const { payload, deadAt } = checkClaims(facts, nowSeconds(), issuer.rules)
    return { caller: callerBy(payload, issuer.rules, [...PRINCIPAL_CLAIMS, 'username', 'client_id']), deadAt }
  } catch (error) {
    throw withClaimed(error, facts)
  }
}
