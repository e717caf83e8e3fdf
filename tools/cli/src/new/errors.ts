/** The command line of `pnpm new`, or what it asks for, cannot be. */
export class NewUsageError extends Error {
  override readonly name = 'NewUsageError'
  readonly code = 'NEW_USAGE'
}
