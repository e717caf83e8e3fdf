/**
 * The database cannot be reached; the cause says why. When a handler does not catch it, \@taproom/service answers a request by its `status`, and
 * a channel of \@taproom/messaging waits and passes the message again, while it `isTransient`.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'
  readonly code = 'DATABASE_UNAVAILABLE'
  readonly status = 503
  /** False for a query that took too long and had done so on connections that were new: the query is at fault. */
  readonly isTransient: boolean

  constructor(
    message?: string,
    { isTransient = true, ...options }: ErrorOptions & { readonly isTransient?: boolean } = {},
  ) {
    super(message, options)
    this.isTransient = isTransient
  }
}
