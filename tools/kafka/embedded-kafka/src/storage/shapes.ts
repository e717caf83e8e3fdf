/** Whether a value read from a file is an object that has numbers under these names. */
export function hasNumbers<const K extends string>(value: unknown, ...names: readonly K[]): value is Record<K, number> {
  return isRecord(value) && names.every((name) => Number.isSafeInteger(value[name]))
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
