/**
 * Greets by name.
 *
 * @throws {RangeError} when the name is empty
 */
export function templateApp(name: string): string {
  if (name === '') throw new RangeError('name is empty: expected at least one character')
  return `Hello, ${name}`
}
