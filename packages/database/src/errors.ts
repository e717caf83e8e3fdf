/** The database cannot be reached; the cause says why. An error that a handler of \@taproom/service does not catch is answered by its `status`. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'
  readonly code = 'DATABASE_UNAVAILABLE'
  readonly status = 503
}
