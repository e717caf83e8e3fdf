import type { KeySet } from './key-set.ts'

/**
 * Digests of tokens that no key in force has signed, so that a repeated forged token costs no signature check: at most `size`, the oldest is
 * forgotten first.
 */
export function createForgedTokens(size: number) {
  const found = new Map<string, KeySet>()
  return {
    /** Whether the token was found forged with exactly these keys. */
    has: (digest: string, keys: KeySet): boolean => found.get(digest) === keys,
    add(digest: string, keys: KeySet): void {
      if (size === 0) return
      found.delete(digest)
      found.set(digest, keys)
      if (found.size > size) found.delete(found.keys().next().value ?? '')
    },
  }
}
