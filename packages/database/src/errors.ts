/** The database cannot be reached; the cause says why. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'
  readonly code = 'DATABASE_UNAVAILABLE'
}
