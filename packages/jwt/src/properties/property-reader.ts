/** Reads properties by their MicroProfile names, and collects what is wrong with them; the reader of `parseEnv` fits. */
export interface PropertyReader {
  /** Required when it has no default. */
  string(name: string, options?: { readonly default?: string; readonly secret?: boolean }): string
  optionalString(name: string): string | undefined
  integer(name: string, options: { readonly default: number; readonly min?: number; readonly max?: number }): number
  boolean(name: string, options: { readonly default: boolean }): boolean
  oneOf<const T extends string>(name: string, values: readonly T[], options: { readonly default: NoInfer<T> }): T
  /** `[]` when it is not set. */
  list(name: string): readonly string[]
  custom<T>(
    name: string,
    options: { readonly expected: string; readonly parse: (text: string) => T; readonly default?: string },
  ): T
  /** Reports a property that does not go with others. */
  problem(name: string, message: string): void
  /** Reports every property below `prefix` that nothing has read. */
  refuseOthers(prefix: string): void
}
