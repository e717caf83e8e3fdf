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

/** The message of an error, or the thrown value as text. Never throws. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message === '' ? error.name : error.message
  try {
    return String(error)
  } catch {
    // A thrown object may refuse conversion; the report must be given all the same.
    return 'unknown error'
  }
}

/** `<class>: <message>` of the innermost error, as the reference URL check writes it. */
export function describeError(error: unknown): string {
  const root = rootCause(error)
  return root instanceof Error ? `${root.name}: ${messageOf(root)}` : messageOf(root)
}
