/**
 * The database cannot be reached; the cause says why. When a handler does not catch it, \@taproom/service answers a request by its `status`, and
 * a channel of \@taproom/messaging waits and passes the message again, because it `isTransient`.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'
  readonly code = 'DATABASE_UNAVAILABLE'
  readonly status = 503
  readonly isTransient = true
}
