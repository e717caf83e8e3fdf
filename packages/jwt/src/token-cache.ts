import { hash } from 'node:crypto'
import type { Caller } from './claims.ts'
import type { VerificationKey } from './verification-key.ts'

/** What is remembered of a verified token. */
export interface VerifiedToken {
  readonly caller: Caller
  readonly key: VerificationKey
  /** From this moment on the token is not valid any more, in epoch seconds. */
  readonly deadAt: number
}

/** Verified tokens, known by their SHA-256 so that no token is kept; the least recently used goes first. */
export interface TokenCache {
  get(token: string): VerifiedToken | undefined
  set(token: string, verified: VerifiedToken): void
  delete(token: string): void
}

/** A cache of at most `size` tokens; 0 remembers nothing. Whether an entry is still good is for the caller to judge. */
export function createTokenCache(size: number): TokenCache {
  const entries = new Map<string, VerifiedToken>()
  const digest = (token: string) => hash('sha256', token, 'base64')
  return {
    get(token) {
      if (size === 0) return undefined
      const key = digest(token)
      const entry = entries.get(key)
      if (entry !== undefined) {
        entries.delete(key)
        entries.set(key, entry)
      }
      return entry
    },
    set(token, verified) {
      if (size === 0) return
      entries.set(digest(token), verified)
      if (entries.size > size) entries.delete(entries.keys().next().value ?? '')
    },
    delete(token) {
      entries.delete(digest(token))
    },
  }
}
