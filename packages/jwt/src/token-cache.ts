import { hash } from 'node:crypto'
import type { Caller } from './claims.ts'
import type { VerificationKey } from './verification-key.ts'

/** What is remembered of a verified token. */
export interface VerifiedToken {
  /** Who the token stands for, as a promise that every verification of it gives. */
  readonly caller: Promise<Caller>
  readonly key: VerificationKey
  /** From this moment on the token is not valid any more, in epoch seconds. */
  readonly deadAt: number
}

/** Verified tokens, known by their digests so that no token is kept; the least recently used goes first. */
export interface TokenCache {
  get(digest: string): VerifiedToken | undefined
  /** Notes the digest the first time, and keeps the token the second time: most tokens come once, or many times. */
  set(digest: string, verified: VerifiedToken): void
  delete(digest: string): void
}

/** The SHA-256 that a token is known by: no two tokens have the same. */
export function digestOf(token: string): string {
  return hash('sha256', token, 'binary')
}

/**
 * A cache of at most `size` tokens; 0 remembers nothing. Whether an entry is still good is for the caller to judge.
 *
 * A token that comes once costs no more than its digest: what is kept of a token outlives the request, and moving it around would cost the
 * garbage collector a tenth of the time that verifying it took.
 */
export function createTokenCache(size: number): TokenCache {
  const entries = new Map<string, VerifiedToken | undefined>()
  return {
    get(digest) {
      const entry = entries.get(digest)
      if (entry !== undefined) {
        entries.delete(digest)
        entries.set(digest, entry)
      }
      return entry
    },
    set(digest, verified) {
      if (size === 0) return
      const isNew = !entries.delete(digest)
      entries.set(digest, isNew ? undefined : verified)
      if (entries.size > size) entries.delete(entries.keys().next().value ?? '')
    },
    delete(digest) {
      entries.delete(digest)
    },
  }
}
