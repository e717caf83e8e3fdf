/** A thrown value without its stack: an error's message, or the value as text. Never throws. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error) return error.message === '' ? error.name : error.message
  try {
    return String(error)
  } catch {
    // A thrown object may refuse conversion to text.
    return 'unknown error'
  }
}

/** As {@link reasonOf}, followed by the innermost cause, where `fetch` and others put the network's error. */
export function reasonWithCause(error: unknown): string {
  const root = rootCause(error)
  return root === error ? reasonOf(error) : `${reasonOf(error)}: ${reasonOf(root)}`
}

/** The error at the end of the `cause` chain. An AggregateError without a message stands for its first error. */
export function rootCause(error: unknown): unknown {
  const seen = new Set<unknown>()
  let current = error
  while (current instanceof Error && !seen.has(current)) {
    seen.add(current)
    const inner = current instanceof AggregateError && current.message === '' ? current.errors[0] : current.cause
    if (inner === undefined || inner === null) break
    current = inner
  }
  return current
}
