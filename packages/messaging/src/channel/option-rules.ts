/** Topic and group names as Kafka takes them: 1 to 249 of letters, digits, dot, underscore, hyphen. */
const NAME = /^[A-Za-z0-9._-]{1,249}$/

/** The value, or a RangeError naming the option, the rule and the value. */
export function checkName(option: string, value: string): string {
  if (!NAME.test(value) || value === '.' || value === '..') {
    throw new RangeError(`${option} must be 1 to 249 of a-z A-Z 0-9 . _ -, received ${JSON.stringify(value)}`)
  }
  return value
}

/** The default of `bufferBytes`, in every channel. */
export const DEFAULT_BUFFER_BYTES: number = 64 * 1024 * 1024

/** The value, or a RangeError naming the option, the rule and the value. */
export function checkInteger(option: string, value: number, min: number): number {
  if (!Number.isSafeInteger(value) || value < min) {
    throw new RangeError(`${option} must be an integer of at least ${min}, received ${value}`)
  }
  return value
}
