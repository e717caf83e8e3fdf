/** An object that records which of its fields were read. */
export interface FieldRecorder {
  /** Behaves like the object itself. */
  readonly recorded: unknown
  /** Names read from this part of the object, whether it has them or not. */
  fieldsAskedOf(part: object): ReadonlySet<string>
}

/**
 * Records the names that a reader of an object asks for. A validator asks for every field of its schema, present or not, and for all keys
 * of a map: a field that it never asked for is not in the schema.
 */
export function recordFields(object: object): FieldRecorder {
  const asked = new Map<object, Set<string>>()
  const proxies = new Map<object, object>()

  const record = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const known = proxies.get(value)
    if (known !== undefined) return known
    const names = new Set<string>()
    asked.set(value, names)
    const proxy = new Proxy(value, {
      get(target, name) {
        if (typeof name === 'string') names.add(name)
        return record(Reflect.get(target, name))
      },
    })
    proxies.set(value, proxy)
    return proxy
  }

  return { recorded: record(object), fieldsAskedOf: (part) => asked.get(part) ?? new Set() }
}
