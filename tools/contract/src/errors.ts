/** The command line is wrong or names no system: exit code 2. */
export class ContractUsageError extends Error {
  override readonly name = 'ContractUsageError'
  readonly code = 'CONTRACT_USAGE'
  /** Whether the usage helps. */
  readonly hasUsage: boolean

  constructor(message: string, { hasUsage = true, ...options }: ErrorOptions & { readonly hasUsage?: boolean } = {}) {
    super(message, options)
    this.hasUsage = hasUsage
  }
}
