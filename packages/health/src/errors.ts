/** Base class of everything this package throws. */
export class HealthError extends Error {
  override readonly name: string = 'HealthError'
  readonly code: string = 'HEALTH_ERROR'
}

/** An option has a value that can not work. Thrown where checks, health and routes are created, never later. */
export class InvalidHealthOptionError extends HealthError {
  override readonly name = 'InvalidHealthOptionError'
  override readonly code = 'HEALTH_OPTION_INVALID'
}

/** Throws unless `value` is a number of milliseconds between `min` and 2^31-1 (the longest timer there is). */
export function assertMilliseconds(name: string, value: number, min: number): void {
  if (!Number.isFinite(value) || value < min || value > 2 ** 31 - 1) {
    throw new InvalidHealthOptionError(
      `${name} must be a number of milliseconds from ${min} to 2147483647, got ${value}`,
    )
  }
}
