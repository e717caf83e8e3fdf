/** What was asked for cannot be done, and the message says why. */
export class CliError extends Error {
  override readonly name: string = 'CliError'
  readonly code: string = 'CLI_NO_SYSTEM'
}

/** The command line is wrong. */
export class CliUsageError extends CliError {
  override readonly name = 'CliUsageError'
  override readonly code = 'CLI_USAGE'
}
