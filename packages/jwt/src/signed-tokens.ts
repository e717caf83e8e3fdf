import { checkClaims } from './claim-rules.ts'
import { principalName, typedClaims } from './claims.ts'
import { type CompactToken, createCompactParser } from './compact-token.ts'
import { InvalidTokenError, VerifierBusyError } from './errors.ts'
import { claimedIdentity } from './refusal.ts'
import type { VerifiedToken } from './token-cache.ts'
import type { TrustedIssuer, TrustedIssuers } from './trusted-issuers.ts'
import type { VerificationKey } from './verification-key.ts'
import { createSignatureChecker } from './verify-signature.ts'

/**
 * Verifies a signed token; a promise when that takes another thread or other keys, which rejects with the errors below.
 *
 * @throws {InvalidTokenError} when the token is refused; any error while it is read is the token's fault
 * @throws {VerifierBusyError} when too many tokens wait
 */
export type SignedTokens = (token: string, digest: string) => VerifiedToken | Promise<VerifiedToken>

export interface SignedTokensOptions {
  readonly issuers: TrustedIssuers
  /** Accepted `typ`, in lower case; '' is a token without. */
  readonly types: ReadonlySet<string>
  /** In epoch milliseconds. */
  readonly clock: () => number
  /** Most forged tokens that are remembered. */
  readonly cacheSize: number
}

/**
 * Verifies tokens by the keys of the issuer that they name: `iss` chooses the keys before anything is verified, and what is wrong with the
 * token then is wrong by the rules of that issuer. Cheap checks come first and the signature last.
 */
export function createSignedTokens({ issuers, types, clock, cacheSize }: SignedTokensOptions): SignedTokens {
  const parseCompact = createCompactParser({ algorithms: issuers.algorithms, types })
  const signatures = createSignatureChecker({ clock, cacheSize })
  const nowSeconds = () => Math.floor(clock() / 1000)

  /** The key that signed the token. If none fits, the source reads its keys again first. */
  function signingKey({ keys }: TrustedIssuer, token: CompactToken, digest: string) {
    const { kid, algorithm } = token
    const isFound = () => keys.current().candidates(kid, algorithm).length > 0
    if (isFound()) return signatures.signingKey(keys.current(), token, digest)
    return keys.lookAgain(isFound).then(() => signatures.signingKey(keys.current(), token, digest))
  }

  return (token, digest) => {
    let kid: string | undefined
    let payload: Readonly<Record<string, unknown>> | undefined
    const refusal = (error: unknown) => {
      if (error instanceof VerifierBusyError) return error
      const reason = error instanceof InvalidTokenError ? error.reason : 'malformed'
      return new InvalidTokenError(reason, { claimed: claimedIdentity(kid, payload), cause: error })
    }
    try {
      const parsed = parseCompact(token)
      kid = parsed.kid
      payload = parsed.payload()
      const issuer = issuers.find(payload['iss'])
      if (issuer === undefined) throw new InvalidTokenError('issuer')
      const checked = checkClaims(payload, nowSeconds(), issuer.rules)
      if (!issuer.algorithms.includes(parsed.algorithm)) throw new InvalidTokenError('algorithm')
      const accept = (key: VerificationKey): VerifiedToken => {
        // Waiting for keys or the signature check may have taken time.
        if (nowSeconds() >= checked.deadAt) throw new InvalidTokenError('expired')
        const claims = typedClaims(checked.payload)
        const name = principalName(claims)
        if (name === undefined) throw new InvalidTokenError('principal')
        const caller = Object.freeze({ name, claims })
        return { caller, keys: issuer.keys, key, deadAt: checked.deadAt }
      }
      const key = signingKey(issuer, parsed, digest)
      if (!(key instanceof Promise)) return accept(key)
      return key.then(accept).catch((error: unknown) => Promise.reject(refusal(error)))
    } catch (error) {
      throw refusal(error)
    }
  }
}
