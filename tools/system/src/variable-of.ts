/** The variable of a property, by MicroProfile's rule; also of other names. */
export function variableOf(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '_').toUpperCase()
}
