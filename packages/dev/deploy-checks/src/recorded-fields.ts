/** An object that remembers what was asked of it. */
export interface FieldRecorder {
  /** Stands for the object itself; nothing can be told from it. */
  readonly recorded: unknown
  /** The names that were read from this part of the object, present or not. */
  fieldsAskedOf(part: object): ReadonlySet<string>
}

/**
 * Lets somebody else read an object and remembers the names they ask for: a validator asks for every field that its schema has, whether
 * it is there or not, and for all keys of a map. What it never asked for its schema does not know.
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
