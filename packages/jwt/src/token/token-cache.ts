import { hash } from 'node:crypto'
import type { KeySource } from '../keys/key-set.ts'
import type { VerificationKey } from '../keys/verification-key.ts'
import type { Caller } from './claims.ts'

/** A token that nothing is held against so far. */
export interface GoodToken {
  readonly caller: Caller
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

interface Entry {
  readonly verified: VerifiedToken
  /** Since it was kept, or last became the newest. */
  wasUsed: boolean
}

/**
 * Verified tokens by their digests, so that no token is kept: at most `size`; 0 keeps none. To make room the oldest is forgotten, unless it was
 * used: then it becomes the newest, and has to be used again. The caller must check whether an entry is still valid.
 *
 * A token that comes once costs only its digest: a longer-lived entry would cost the garbage collector a tenth of the time that verifying
 * the token took. One that is known changes nothing but a mark: in the order of use, each request would leave its digest in old memory.
 */
export function createTokenCache(size: number) {
  const entries = new Map<string, Entry | undefined>()

  function forgetOne(): void {
    for (const [digest, entry] of entries) {
      entries.delete(digest)
      if (entry?.wasUsed !== true) return
      entry.wasUsed = false
      entries.set(digest, entry)
    }
  }

  return {
    get(digest: string): VerifiedToken | undefined {
      const entry = entries.get(digest)
      if (entry === undefined) return undefined
      entry.wasUsed = true
      return entry.verified
    },
    /** Keeps only the digest the first time, and the entry the second time: most tokens come once, or many times. */
    set(digest: string, verified: VerifiedToken): void {
      if (size === 0) return
      const isNew = !entries.delete(digest)
      if (entries.size >= size) forgetOne()
      entries.set(digest, isNew ? undefined : { verified, wasUsed: false })
    },
    delete: (digest: string): boolean => entries.delete(digest),
  }
}

/** Remembers at most `size` values by digests, and forgets the oldest first; 0 remembers none. */
export function createMemory<V>(size: number) {
  const entries = new Map<string, V>()
  return {
    get: (digest: string): V | undefined => entries.get(digest),
    set(digest: string, value: V): void {
      if (size === 0) return
      entries.delete(digest)
      entries.set(digest, value)
      if (entries.size > size) entries.delete(entries.keys().next().value ?? '')
    },
  }
}
