import { createVerify, verify } from 'node:crypto'
import { promisify } from 'node:util'
import type { CompactToken } from './compact-token.ts'
import { InvalidTokenError, VerifierBusyError } from './errors.ts'
import { createForgedTokens } from './forged-tokens.ts'
import type { KeySet } from './key-set.ts'
import type { VerificationKey } from './verification-key.ts'

/**
 * Most failed checks per second on the event loop; one takes about 30 µs with an RSA key of 2048 bits, 0.4 ms with 8192. EdDSA, ES384 and
 * ES512 take longer and count 5, 20 and 50.
 */
export const FAILURES_PER_SECOND = 100

/** Most tokens that wait for a check in another thread; further ones are refused. */
export const MAX_WAITING = 1000

export interface SignatureChecker {
  /**
   * The first key that fits the token's signature; a promise when another thread checks it. Such a promise rejects with the errors below.
   *
   * @throws {InvalidTokenError} when no key fits, with the reason `key` or `signature`
   * @throws {VerifierBusyError} when too many tokens wait
   */
  signingKey(keys: KeySet, token: CompactToken, digest: string): VerificationKey | Promise<VerificationKey>
}

export interface SignatureCheckerOptions {
  /** In milliseconds. */
  readonly clock: () => number
  /** Most forged tokens that are remembered, so that checking them again costs nothing. */
  readonly cacheSize: number
}

const verifyApart = promisify(verify)

/**
 * Checks signatures so that forged ones can take only a bounded share of the event loop.
 *
 * Node's synchronous verification takes a third of the time of Web Crypto, which jose uses, because no thread is involved. Only when
 * {@link FAILURES_PER_SECOND} checks have failed within about a second, tokens are checked in another thread, one at a time, until the
 * second is over. The algorithm comes from the key, never from the token. Tests compare the results with jose's.
 */
export function createSignatureChecker({ clock, cacheSize }: SignatureCheckerOptions): SignatureChecker {
  const budget = createBudget(clock)
  const forged = createForgedTokens<KeySet>(cacheSize)
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()

  function here(keys: readonly VerificationKey[], token: CompactToken): VerificationKey | undefined {
    for (const key of keys) if (isSignedBy(key, token)) return key
    budget.spend(keys.reduce((sum, { cost }) => sum + cost, 0))
    return undefined
  }

  async function apart(keys: readonly VerificationKey[], { signed, signature }: CompactToken) {
    for (const key of keys) if (await verifyApart(key.digest, signed, key.scheme, signature)) return key
    return undefined
  }

  /** One check at a time, so that forged tokens never keep more than one thread busy. */
  function inTurn<T>(check: () => Promise<T>): Promise<T> {
    if (waiting >= MAX_WAITING) throw new VerifierBusyError()
    waiting += 1
    const found = last.then(check).finally(() => {
      waiting -= 1
    })
    last = found.catch(() => undefined)
    return found
  }

  function refuse(digest: string, keys: KeySet): never {
    forged.add(digest, keys)
    throw new InvalidTokenError('signature')
  }

  return {
    signingKey(keys, token, digest) {
      const candidates = keys.candidates(token.kid, token.algorithm)
      if (candidates.length === 0) throw new InvalidTokenError('key')
      if (forged.has(digest, keys)) throw new InvalidTokenError('signature')
      // A signature of another length cannot be from this key.
      const fitting = candidates.filter((key) => key.signatureBytes === token.signature.length)
      if (fitting.length === 0) throw new InvalidTokenError('signature')
      if (!budget.isSpent()) return here(fitting, token) ?? refuse(digest, keys)
      return inTurn(() => apart(fitting, token)).then((key) => key ?? refuse(digest, keys))
    },
  }
}

/**
 * A tenth less work than Node's function for both at once, which EdDSA needs: it signs the text itself. A signature of ECDSA must have the
 * key's length: with another, this throws where that function says no.
 */
function isSignedBy({ digest, scheme }: VerificationKey, { signed, signature }: CompactToken): boolean {
  if (digest === null) return verify(digest, signed, scheme, signature)
  return createVerify(digest).update(signed).verify(scheme, signature)
}

/** How many checks may still fail; refilled evenly over time, up to the amount of one second. */
function createBudget(clock: () => number): { spend(checks: number): void; isSpent(): boolean } {
  let left = FAILURES_PER_SECOND
  let at = clock()
  return {
    spend(checks) {
      left -= checks
    },
    isSpent() {
      if (left >= FAILURES_PER_SECOND) return false
      const now = clock()
      // A clock that was set back adds nothing.
      left = Math.min(FAILURES_PER_SECOND, left + (Math.max(0, now - at) / 1000) * FAILURES_PER_SECOND)
      at = now
      return left < 1
    },
  }
}
