import { verify } from 'node:crypto'
import type { CompactToken } from './compact-token.ts'
import { InvalidTokenError } from './errors.ts'
import type { VerificationKey } from './verification-key.ts'

/**
 * The first of the keys that made the token's signature.
 *
 * Node's verification is called directly, not through Web Crypto as jose does: that takes a third of the time (no hand-over to another
 * thread and back). Which algorithm it is was decided when the key was loaded; the token has no say in it. The tests hold the result against jose's.
 *
 * @throws InvalidTokenError with the reason `key` or `signature`
 */
export function signingKey(keys: readonly VerificationKey[], { signed, signature }: CompactToken): VerificationKey {
  const found = keys.find(({ scheme }) => verify('sha256', signed, scheme, signature))
  if (found === undefined) throw new InvalidTokenError(keys.length === 0 ? 'key' : 'signature')
  return found
}
