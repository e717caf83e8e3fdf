import { type PropertyType, propertyType } from './apache-properties.ts'

/** The name of a property without the listener and mechanism in front of it that it is for. */
function plainName(name: string): string {
  if (!name.startsWith('listener.name.')) return name
  for (let at = name.indexOf('.', 'listener.name.'.length); at > 0; at = name.indexOf('.', at + 1)) {
    if (propertyType(name.slice(at + 1)) !== undefined) return name.slice(at + 1)
  }
  return name
}

/** The type of a property, also of one for a listener; undefined for what Apache Kafka does not have. */
export function typeOfProperty(name: string): PropertyType | undefined {
  return propertyType(plainName(name))
}

/** Names that begin so are about security: those that Apache Kafka does not have are refused, because a typing error would open the broker. */
const AREA =
  /^(?:ssl\.|sasl\.|listener\.name\.|connections?\.(?:max\.reauth|failed)\.|authorizer\.|super\.users|allow\.everyone\.)/

/** The properties that this broker reads; `listener.name.{name}.` may be in front, and of the last three a mechanism. */
const IN_EFFECT = new Set(
  `
    ssl.keystore.type ssl.keystore.location ssl.keystore.certificate.chain ssl.keystore.key ssl.key.password
    ssl.truststore.type ssl.truststore.location ssl.truststore.certificates ssl.keystore.password ssl.truststore.password
    ssl.client.auth ssl.enabled.protocols ssl.principal.mapping.rules
    sasl.enabled.mechanisms sasl.server.max.receive.size
    sasl.oauthbearer.jwks.endpoint.url sasl.oauthbearer.jwks.endpoint.refresh.ms
    sasl.oauthbearer.expected.audience sasl.oauthbearer.expected.issuer
    sasl.oauthbearer.clock.skew.seconds sasl.oauthbearer.sub.claim.name
    connection.failed.authentication.delay.ms authorizer.class.name super.users allow.everyone.if.no.acl.found
    sasl.jaas.config sasl.server.callback.handler.class connections.max.reauth.ms
  `
    .trim()
    .split(/\s+/),
)

/** Apache Kafka, too, reads these of a mechanism at a listener only. */
const OF_MECHANISM = new Set(['sasl.jaas.config', 'sasl.server.callback.handler.class'])

/** True for a security property that this broker goes by. */
export function isInEffect(name: string): boolean {
  const plain = plainName(name)
  const isForAll = name === plain || /^listener\.name\.[^.]+\.$/.test(name.slice(0, -plain.length))
  return IN_EFFECT.has(plain) && !(isForAll && OF_MECHANISM.has(plain))
}

/** Apache Kafka's properties that decide who gets in, by name, and how each was named by who gave it. */
export class SecurityProperties {
  readonly #values: ReadonlyMap<string, string>
  readonly #nameOf: (property: string) => string

  constructor(values: Readonly<Record<string, string>>, nameOf: (property: string) => string = (name) => name) {
    this.#values = new Map(Object.entries(values))
    this.#nameOf = nameOf
  }

  /** Adds the names that Apache Kafka does not have to `problems`. */
  check(problems: string[]): void {
    for (const name of this.#values.keys()) {
      if (!AREA.test(name) || typeOfProperty(name) !== undefined) continue
      problems.push(`${this.#nameOf(name)} is not a property of Apache Kafka`)
    }
  }

  /** A property for all listeners. */
  get(name: string): Found {
    return { name: this.#nameOf(name), value: this.#values.get(name) }
  }

  /** True when a listener has a value of its own. */
  isSetFor(listener: string, name: string): boolean {
    return this.#values.has(`listener.name.${listener.toLowerCase()}.${name}`)
  }

  /** For listeners of this name: their own value, else the general one. */
  of(listener: string): ListenerProperties {
    const prefix = `listener.name.${listener.toLowerCase()}.`
    const at = (name: string): Found => this.get(name)
    const find = (name: string): Found => {
      const own = at(prefix + name)
      return own.value === undefined ? at(name) : own
    }
    return {
      find,
      ofMechanism: (mechanism, name) => at(`${prefix}${mechanism.toLowerCase()}.${name}`),
    }
  }
}

/** A property under the name by which it was given, or could have been. */
export interface Found {
  readonly name: string
  readonly value: string | undefined
}

export interface ListenerProperties {
  find(name: string): Found
  /** A property of one mechanism at this listener. */
  ofMechanism(mechanism: string, name: string): Found
}

/** A whole number within these bounds; otherwise `problems` gets an entry, and the default is used. */
export function wholeOf(
  { name, value }: Found,
  { min, max, absent }: { readonly min: number; readonly max: number; readonly absent: number },
  problems: string[],
): number {
  if (value === undefined) return absent
  if (/^\d{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value)
  problems.push(`${name} must be a whole number from ${min} to ${max}; got "${value}"`)
  return absent
}
