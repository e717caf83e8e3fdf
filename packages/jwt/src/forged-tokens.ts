/**
 * Digests of tokens that no key in force has signed, or opens, so that a repeated forged token costs no check: at most `size`, the oldest is
 * forgotten first.
 */
export function createForgedTokens<Keys extends object>(size: number) {
  const found = new Map<string, Keys>()
  return {
    /** Whether the token was found forged with exactly these keys. */
    has: (digest: string, keys: Keys): boolean => found.get(digest) === keys,
    add(digest: string, keys: Keys): void {
      if (size === 0) return
      found.delete(digest)
      found.set(digest, keys)
      if (found.size > size) found.delete(found.keys().next().value ?? '')
    },
  }
}
