/** The fields of a message or of a part of one. */
export type Fields = Readonly<Record<string, unknown>>

/** The fields of a value; undefined where it has none. */
export function fieldsOf(value: unknown): Fields | undefined {
  const hasFields = typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value)
  return hasFields ? (value as Fields) : undefined
}

/** Changes the items of a list or the fields of a message. What does not change stays the same object, as codecs compare some by identity. */
export function mapParts(value: unknown, change: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) {
    const changed = value.map(change)
    return changed.some((part, at) => part !== value[at]) ? changed : value
  }
  const fields = fieldsOf(value)
  if (!fields) return value
  const entries = Object.entries(fields).map(([name, part]) => [name, change(part)] as const)
  return entries.some(([name, part]) => part !== fields[name]) ? Object.fromEntries(entries) : value
}
