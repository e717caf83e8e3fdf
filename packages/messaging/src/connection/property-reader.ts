/** Reads properties by their MicroProfile names, and reports those that are invalid; the reader of `parseEnv` fits. */
export interface PropertyReader {
  custom<T>(
    name: string,
    options: { readonly expected: string; readonly parse: (text: string) => T; readonly default?: string },
  ): T
  /** Reports a property that does not go with others. */
  problem(name: string, message: string): void
}

export type ConnectionAttributes = ReturnType<typeof connectionAttributes>

/**
 * The properties of a connection: a channel's own attribute where `prefix` names a channel (`mp.messaging.incoming.beers`) and it has one,
 * else `kafka.{attribute}`. What is invalid has been reported, and is undefined.
 */
export function connectionAttributes(read: PropertyReader, prefix: string | undefined) {
  const hasText = (name: string) =>
    read.custom(name, { default: '', expected: 'a text', parse: (text) => (text === '' ? '' : 'set') }) !== ''
  /** Under which name an attribute is set; that for all channels when it is not. */
  const nameOf = (attribute: string) => {
    const own = `${prefix}.${attribute}`
    return prefix !== undefined && hasText(own) ? own : `kafka.${attribute}`
  }
  const isSet = (attribute: string) => hasText(nameOf(attribute))
  /** It is a problem when it is not set. */
  const required = <T>(attribute: string, expected: string, parse: (text: string) => T): T | undefined =>
    read.custom(nameOf(attribute), { expected, parse })
  return {
    nameOf,
    isSet,
    required,
    optional: <T>(attribute: string, expected: string, parse: (text: string) => T): T | undefined =>
      isSet(attribute) ? required(attribute, expected, parse) : undefined,
    /** It is a problem when one is set. */
    refuse(attributes: readonly string[], why: string): void {
      for (const attribute of attributes.filter(isSet)) required(attribute, `nothing, because ${why}`, refused)
    },
    problem: (attribute: string, message: string) => read.problem(nameOf(attribute), message),
  }
}

function refused(): never {
  throw new RangeError('cannot be set')
}

/** Reads one of the values, in any case. */
export function oneOf<T extends string>(values: readonly T[]): (text: string) => T {
  return (text) => {
    const value = values.find((each) => each === text.toUpperCase())
    if (value === undefined) throw new RangeError('not one of them')
    return value
  }
}
