/** @throws RangeError that names the option, with the usage */
export function positive(name: string, text: string, usage: string): number {
  const value = Number(text)
  if (!(value > 0 && Number.isFinite(value))) {
    throw new RangeError(`--${name}=${text}: expected a number above 0\n${usage}`)
  }
  return value
}
