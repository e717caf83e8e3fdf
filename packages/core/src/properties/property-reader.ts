export interface TextOptions {
  readonly default?: string
  /** Leaves the value out of problems. Default: false. */
  readonly secret?: boolean
}

/** Both limits are included. */
export interface NumberOptions {
  readonly default: number
  readonly min?: number
  readonly max?: number
}

/** Reads properties by their MicroProfile names, and collects what is wrong with them; the reader of `parseEnv` fits. */
export interface PropertyReader {
  /** Required when it has no default. */
  string(name: string, options?: TextOptions): string
  optionalString(name: string): string | undefined
  /** A whole number. */
  integer(name: string, options: NumberOptions): number
  /** A decimal number. */
  number(name: string, options: NumberOptions): number
  /** `true` or `false`, in any case. */
  boolean(name: string, options: { readonly default: boolean }): boolean
  oneOf<const T extends string>(name: string, values: readonly T[], options: { readonly default: NoInfer<T> }): T
  /** Comma separated texts, trimmed, empty ones dropped; `[]` when unset. Set to nothing but commas is a problem. */
  list(name: string): readonly string[]
  /** What `parse` returns for the text; if it throws, that becomes a problem that says what was `expected`. */
  custom<T>(name: string, options: TextOptions & { readonly expected: string; readonly parse: (text: string) => T }): T
  /** Reports a property, such as one that contradicts others. */
  problem(name: string, message: string): void
  /** Reports every property below `prefix` that was not read until now: a misspelt one would have no effect. */
  refuseOthers(prefix: string): void
}
