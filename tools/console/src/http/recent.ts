export interface Recent<T> {
  /** The answer of the read that is under way, or of the last one while it is recent; else of a new one. */
  read(maxAgeMs?: number): Promise<T>
  /** The next call of `read` reads again, even while a read is under way. */
  forget(): void
}

/**
 * Shares one read among all callers at the same time. Its answer is recent until `ageMs` milliseconds after it came; a read that rejects is
 * forgotten.
 */
export function recent<T>(ageMs: number, read: () => Promise<T>, now = () => performance.now()): Recent<T> {
  let last: { readonly answer: Promise<T>; answeredAt: number } | undefined
  return {
    read(maxAgeMs = ageMs) {
      if (last !== undefined && now() - last.answeredAt <= maxAgeMs) return last.answer
      const asked = { answer: read(), answeredAt: Number.POSITIVE_INFINITY }
      last = asked
      asked.answer.then(
        () => {
          asked.answeredAt = now()
        },
        () => {
          if (last === asked) last = undefined
        },
      )
      return asked.answer
    },
    forget() {
      last = undefined
    },
  }
}
