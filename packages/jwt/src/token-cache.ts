import { hash } from 'node:crypto'
import type { Caller } from './claims.ts'
import type { KeySource } from './key-source.ts'
import type { VerificationKey } from './verification-key.ts'

/** A token that nothing is held against so far. */
export interface GoodToken {
  /** The promise that every verification of the token returns. */
  readonly caller: Promise<Caller>
  /** When the token becomes invalid, in epoch seconds. */
  readonly deadAt: number
}

export interface VerifiedToken extends GoodToken {
  /** Of its issuer. */
  readonly keys: Pick<KeySource, 'current'>
  readonly key: VerificationKey
}

export function digestOf(token: string): string {
  return hash('sha256', token, 'binary')
}

/**
 * Verified tokens by their digests, so that no token is kept: at most `size`, the least recently used is forgotten first; 0 keeps none. The
 * caller must check whether an entry is still valid.
 *
 * A token that comes once costs only its digest: a longer-lived entry would cost the garbage collector a tenth of the time that verifying
 * the token took.
 */
export function createTokenCache(size: number) {
  const entries = new Map<string, VerifiedToken | undefined>()
  return {
    get(digest: string): VerifiedToken | undefined {
      const entry = entries.get(digest)
      if (entry !== undefined) {
        entries.delete(digest)
        entries.set(digest, entry)
      }
      return entry
    },
    /** Keeps only the digest the first time, and the entry the second time: most tokens come once, or many times. */
    set(digest: string, verified: VerifiedToken): void {
      if (size === 0) return
      const isNew = !entries.delete(digest)
      entries.set(digest, isNew ? undefined : verified)
      if (entries.size > size) entries.delete(entries.keys().next().value ?? '')
    },
    delete: (digest: string): boolean => entries.delete(digest),
  }
}
