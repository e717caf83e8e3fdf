/** Reads properties by their MicroProfile names, and reports those that are invalid; the reader of `parseEnv` fits. */
export interface PropertyReader {
  custom<T>(
    name: string,
    options: { readonly expected: string; readonly parse: (text: string) => T; readonly default?: string },
  ): T
  /** Reports a property that does not go with others. */
  problem(name: string, message: string): void
}

/**
 * The properties of a connection: a channel's own attribute where `prefix` names a channel and it has one, else `kafka.{attribute}`. What is
 * invalid has been reported, and is undefined.
 */
export interface ConnectionAttributes {
  /** Under which name an attribute is set; that for all channels when it is not. */
  nameOf(attribute: string): string
  isSet(attribute: string): boolean
  /** Undefined when it is not set. */
  optional<T>(attribute: string, expected: string, parse: (text: string) => T): T | undefined
  /** It is a problem when it is not set. */
  required<T>(attribute: string, expected: string, parse: (text: string) => T): T | undefined
  /** It is a problem when one is set. */
  refuse(attributes: readonly string[], why: string): void
  problem(attribute: string, message: string): void
}

/** `prefix` is that of a channel, as `mp.messaging.incoming.beers`. */
export function connectionAttributes(read: PropertyReader, prefix: string | undefined): ConnectionAttributes {
  const hasText = (name: string) =>
    read.custom(name, { default: '', expected: 'a text', parse: (text) => (text === '' ? '' : 'set') }) !== ''
  const nameOf = (attribute: string) => {
    const own = `${prefix}.${attribute}`
    return prefix !== undefined && hasText(own) ? own : `kafka.${attribute}`
  }
  const isSet = (attribute: string) => hasText(nameOf(attribute))
  const required: ConnectionAttributes['required'] = (attribute, expected, parse) =>
    read.custom(nameOf(attribute), { expected, parse })
  return {
    nameOf,
    isSet,
    required,
    optional: (attribute, expected, parse) => (isSet(attribute) ? required(attribute, expected, parse) : undefined),
    refuse(attributes, why) {
      for (const attribute of attributes.filter(isSet)) required(attribute, `nothing, because ${why}`, refused)
    },
    problem: (attribute, message) => read.problem(nameOf(attribute), message),
  }
}

function refused(): never {
  throw new RangeError('cannot be set')
}
