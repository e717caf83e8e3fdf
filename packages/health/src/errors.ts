/** Base class of everything this package throws. */
export abstract class HealthError extends Error {
  override readonly name: string = 'HealthError'
  abstract readonly code: string
}

/** An option has an invalid value. Thrown when checks, health or routes are created, never later. */
export class InvalidHealthOptionError extends HealthError {
  override readonly name = 'InvalidHealthOptionError'
  readonly code = 'HEALTH_OPTION_INVALID'
}

/** @throws {InvalidHealthOptionError} when `value` is not a number of milliseconds between `min` and 2^31-1 (the longest Node timer) */
export function assertMilliseconds(name: string, value: number, min: number): void {
  if (!Number.isFinite(value) || value < min || value > 2 ** 31 - 1) {
    throw new InvalidHealthOptionError(
      `${name} must be a number of milliseconds from ${min} to 2147483647, got ${value}`,
    )
  }
}
