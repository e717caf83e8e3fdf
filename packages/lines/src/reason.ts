/** What a line says about a thrown value when its stack is not wanted: an error's message, or the value as text. Never throws. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error) return error.message === '' ? error.name : error.message
  try {
    return String(error)
  } catch {
    // A thrown object may refuse conversion; the report must be given all the same.
    return 'unknown error'
  }
}

/** The same, followed by what is at the end of its causes: `fetch` and others hide there what the network said. */
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
