import { verify } from 'node:crypto'
import { promisify } from 'node:util'
import type { CompactToken } from './compact-token.ts'
import { InvalidTokenError, VerifierBusyError } from './errors.ts'
import { createForgedTokens } from './forged-tokens.ts'
import type { KeySet } from './key-set.ts'
import type { VerificationKey } from './verification-key.ts'

/** Checks that fail on the event loop's own thread in one second; one takes about 30 µs with an RSA key of 2048 bits, 0.4 ms with 8192. */
export const FAILURES_PER_SECOND = 100

/** Tokens that wait for a check apart from the event loop; further ones are refused. */
export const MAX_WAITING = 1000

/** Finds the key that signed a token. */
export interface SignatureChecker {
  /**
   * The first of the keys that made the token's signature; a promise of it when it is looked for apart from the event loop.
   *
   * @throws InvalidTokenError with the reason `key` or `signature`, VerifierBusyError when too many tokens wait; a promise rejects with these
   */
  signingKey(keys: KeySet, token: CompactToken, digest: string): VerificationKey | Promise<VerificationKey>
}

/** Options of {@link createSignatureChecker}. */
export interface SignatureCheckerOptions {
  /** In milliseconds. */
  readonly clock: () => number
  /** How many forged tokens are remembered, so that one that comes again costs no calculation. */
  readonly cacheSize: number
}

const verifyApart = promisify(verify)

/**
 * Checks signatures so that a stranger who sends forged ones takes a bounded part of the event loop.
 *
 * Node's verification is called directly, not through Web Crypto as jose does: that takes a third of the time (no hand-over to another
 * thread and back). Only once {@link FAILURES_PER_SECOND} checks have failed within about a second are tokens handed over to another
 * thread, one at a time, until the second is over. Which algorithm it is was decided when the key was loaded; the token has no say in it. The tests
 * hold the result against jose's.
 */
export function createSignatureChecker({ clock, cacheSize }: SignatureCheckerOptions): SignatureChecker {
  const budget = createBudget(clock)
  const forged = createForgedTokens(cacheSize)
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()

  function here(keys: readonly VerificationKey[], { signed, signature }: CompactToken): VerificationKey | undefined {
    for (const key of keys) if (verify('sha256', signed, key.scheme, signature)) return key
    budget.spend(keys.length)
    return undefined
  }

  async function apart(keys: readonly VerificationKey[], { signed, signature }: CompactToken) {
    for (const key of keys) if (await verifyApart('sha256', signed, key.scheme, signature)) return key
    return undefined
  }

  /** One after another: forged tokens never keep more than one thread busy. */
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
      const candidates = keys.candidates(token.kid)
      if (candidates.length === 0) throw new InvalidTokenError('key')
      if (forged.has(digest, keys)) throw new InvalidTokenError('signature')
      // Of another length than the key makes: no need to calculate.
      const fitting = candidates.filter((key) => key.signatureBytes === token.signature.length)
      if (fitting.length === 0) throw new InvalidTokenError('signature')
      if (!budget.isSpent()) return here(fitting, token) ?? refuse(digest, keys)
      return inTurn(() => apart(fitting, token)).then((key) => key ?? refuse(digest, keys))
    },
  }
}

/** What may fail, coming back evenly with time, at most a second's worth. */
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
      // A clock that was set back gives nothing.
      left = Math.min(FAILURES_PER_SECOND, left + (Math.max(0, now - at) / 1000) * FAILURES_PER_SECOND)
      at = now
      return left < 1
    },
  }
}
