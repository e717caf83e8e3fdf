import type { KeySet } from './key-set.ts'

/** Digests of tokens that no key in force has signed, so that a repeated forged token costs no signature check. */
export interface ForgedTokens {
  /** Whether the token was found forged with exactly these keys. */
  has(digest: string, keys: KeySet): boolean
  add(digest: string, keys: KeySet): void
}

/** Remembers at most `size` tokens and forgets the oldest first. */
export function createForgedTokens(size: number): ForgedTokens {
  const found = new Map<string, KeySet>()
  return {
    has: (digest, keys) => found.get(digest) === keys,
    add(digest, keys) {
      if (size === 0) return
      found.delete(digest)
      found.set(digest, keys)
      if (found.size > size) found.delete(found.keys().next().value ?? '')
    },
  }
}
