/** Variables are invalid where OpenTelemetry's specification leaves it to us. `problems` has one sentence for each, without secrets. */
export class TelemetryConfigError extends Error {
  override readonly name = 'TelemetryConfigError'
  readonly code = 'CONFIG_INVALID'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`invalid configuration: ${problems.join('; ')}`)
    this.problems = problems
  }
}
