/** A thrown value without its stack: an error's message, or the value as text. Never throws. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error) return issuesOf(error) ?? (error.message === '' ? error.name : error.message)
  try {
    return String(error)
  } catch {
    // A thrown object may refuse conversion to text.
    return 'unknown error'
  }
}

const MAX_ISSUES = 5

/** The issues of an error of zod or another Standard Schema library on one line; zod's message is several lines of JSON. */
function issuesOf(error: Error): string | undefined {
  const { issues } = error as { readonly issues?: unknown }
  if (!Array.isArray(issues) || issues.length === 0) return undefined
  const shown = issues.slice(0, MAX_ISSUES).map(issueText)
  if (shown.includes(undefined)) return undefined
  const more = issues.length - shown.length
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

function issueText(issue: unknown): string | undefined {
  const { message, path } = (issue ?? {}) as { readonly message?: unknown; readonly path?: unknown }
  if (typeof message !== 'string') return undefined
  const place = Array.isArray(path) ? path.map(segmentText).join('.') : ''
  return place === '' ? message : `${place}: ${message}`
}

/** Standard Schema allows a key itself, or an object with it. */
function segmentText(segment: unknown): string {
  return String(typeof segment === 'object' && segment !== null && 'key' in segment ? segment.key : segment)
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
