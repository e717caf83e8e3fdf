/** Topic and group names that Kafka accepts: 1 to 249 letters, digits, dots, underscores and hyphens. */
const NAME = /^[A-Za-z0-9._-]{1,249}$/

/** Names option, rule and value of a name that Kafka does not accept; undefined for one that it accepts. */
export function nameProblem(option: string, value: string): string | undefined {
  if (NAME.test(value) && value !== '.' && value !== '..') return undefined
  return `${option} must be 1 to 249 of a-z A-Z 0-9 . _ -, received ${JSON.stringify(value)}`
}

/** @throws {RangeError} when the value is invalid, naming option, rule and value */
export function checkName(option: string, value: string): string {
  const problem = nameProblem(option, value)
  if (problem !== undefined) throw new RangeError(problem)
  return value
}

export const DEFAULT_BUFFER_BYTES: number = 64 * 1024 * 1024

/** @throws {RangeError} when the value is invalid, naming option, rule and value */
export function checkInteger(option: string, value: number, min: number): number {
  if (!Number.isSafeInteger(value) || value < min) {
    throw new RangeError(`${option} must be an integer of at least ${min}, received ${value}`)
  }
  return value
}
