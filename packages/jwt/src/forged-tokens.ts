import type { KeySet } from './key-set.ts'

/** Tokens whose signature no key in force had made, by their digests: a forged token that comes again costs no calculation. */
export interface ForgedTokens {
  /** Whether the token was found forged with just these keys. */
  has(digest: string, keys: KeySet): boolean
  add(digest: string, keys: KeySet): void
}

/** Remembers at most `size` tokens; the oldest gives way. */
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
