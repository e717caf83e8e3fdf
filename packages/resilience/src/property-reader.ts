export interface Numbers {
  readonly default: number
  readonly min?: number
  readonly max?: number
}

/** Reads properties by their names, and collects what is wrong with them; the reader of `parseEnv` fits. */
export interface PropertyReader {
  optionalString(name: string): string | undefined
  /** A whole number. */
  integer(name: string, options: Numbers): number
  number(name: string, options: Numbers): number
  boolean(name: string, options: { readonly default: boolean }): boolean
  custom<T>(
    name: string,
    options: { readonly expected: string; readonly parse: (text: string) => T; readonly default?: string },
  ): T
  /** Reports a property that does not go with others. */
  problem(name: string, message: string): void
}
