/** Counts what arrives. */
export function createCounter() {
  let count = 0
  let wanted = { at: Number.POSITIVE_INFINITY, resolve() {} }
  return {
    add(more = 1): void {
      count += more
      if (count >= wanted.at) wanted.resolve()
    },
    /** Resolves when so many more have arrived than before it was called. */
    next(more: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      wanted = { at: count + more, resolve }
      return promise
    },
  }
}
