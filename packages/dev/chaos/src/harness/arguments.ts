export class UsageError extends RangeError {
  override readonly name = 'UsageError'
}

/** @throws {UsageError} when the option is wrong, naming it, with the usage */
export function positive(name: string, text: string, usage: string): number {
  const value = Number(text)
  if (!(value > 0 && Number.isFinite(value))) {
    throw new UsageError(`--${name}=${text}: expected a number above 0\n${usage}`)
  }
  return value
}

/** @throws {UsageError} when the option is wrong, naming it, with the usage */
export function whole(name: string, text: string, usage: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new UsageError(`--${name}=${text}: expected a whole number above 0\n${usage}`)
  }
  return Number(text)
}

/** The seed of a run for which none is given. */
export function clockSeed(): string {
  return String((Date.now() % 1_000_000) + 1)
}
