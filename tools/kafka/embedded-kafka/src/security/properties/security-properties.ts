/** What listeners and mechanisms may have of their own, in front of these names as in Apache Kafka. */
const OF_LISTENER = 'listener\\.name\\.[a-z0-9._-]+\\.'
const OF_MECHANISM = '(?:plain|scram-sha-256|scram-sha-512|oauthbearer)\\.'
const TLS = [
  'ssl.keystore.type',
  'ssl.keystore.location',
  'ssl.keystore.certificate.chain',
  'ssl.keystore.key',
  'ssl.key.password',
  'ssl.truststore.type',
  'ssl.truststore.location',
  'ssl.truststore.certificates',
  'ssl.client.auth',
  'ssl.enabled.protocols',
  'ssl.principal.mapping.rules',
]
const SASL = [
  'sasl.enabled.mechanisms',
  'sasl.server.max.receive.size',
  'sasl.oauthbearer.jwks.endpoint.url',
  'sasl.oauthbearer.jwks.endpoint.refresh.ms',
  'sasl.oauthbearer.expected.audience',
  'sasl.oauthbearer.expected.issuer',
  'sasl.oauthbearer.clock.skew.seconds',
  'sasl.oauthbearer.sub.claim.name',
]
const OF_MECHANISMS = ['sasl.jaas.config', 'sasl.server.callback.handler.class', 'connections.max.reauth.ms']
const GENERAL = [
  'connection.failed.authentication.delay.ms',
  'authorizer.class.name',
  'super.users',
  'allow.everyone.if.no.acl.found',
]

function anyOf(names: readonly string[]): string {
  return `(?:${names.map((name) => name.replaceAll('.', '\\.')).join('|')})`
}

const KNOWN = [
  `(?:${OF_LISTENER})?${anyOf([...TLS, ...SASL, 'connections.max.reauth.ms'])}`,
  `${OF_LISTENER}${OF_MECHANISM}${anyOf(OF_MECHANISMS)}`,
  anyOf(GENERAL),
].map((pattern) => new RegExp(`^${pattern}$`))

/** Names that begin so are about security; what is not known among them is refused, so that nobody relies on it. */
const AREA =
  /^(?:ssl\.|sasl\.|listener\.name\.|connections?\.(?:max\.reauth|failed)\.|authorizer\.|super\.users|allow\.everyone\.)/

/** Apache Kafka's properties that decide who gets in, by name, and how each was named by who gave it. */
export class SecurityProperties {
  readonly #values: ReadonlyMap<string, string>
  readonly #nameOf: (property: string) => string

  constructor(values: Readonly<Record<string, string>>, nameOf: (property: string) => string = (name) => name) {
    this.#values = new Map(Object.entries(values))
    this.#nameOf = nameOf
  }

  /** What is not known is added to `problems`. */
  check(problems: string[]): void {
    for (const name of this.#values.keys()) {
      if (KNOWN.some((pattern) => pattern.test(name))) continue
      problems.push(`${this.#nameOf(name)} is no security property that this broker has`)
    }
  }

  /** What holds for all listeners. */
  get(name: string): Found {
    return { name: this.#nameOf(name), value: this.#values.get(name) }
  }

  /** Whether a listener has a value of its own. */
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
  /** What a mechanism has of its own at this listener. */
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

/**
 * The security properties among environment variables, named as by Apache Kafka's image: `KAFKA_SSL_CLIENT_AUTH` is `ssl.client.auth`, two
 * underscores are one of the name, three are a hyphen.
 */
export function propertiesOf(env: Readonly<Record<string, string | undefined>>): {
  readonly values: Readonly<Record<string, string>>
  readonly nameOf: (property: string) => string
} {
  const names = new Map<string, string>()
  const values: Record<string, string> = {}
  for (const [variable, value] of Object.entries(env)) {
    if (!variable.startsWith('KAFKA_') || !value) continue
    const property = variable
      .slice('KAFKA_'.length)
      .toLowerCase()
      .replaceAll(/___|__|_/g, separatorOf)
    if (!AREA.test(property)) continue
    names.set(property, variable)
    values[property] = value
  }
  const nameOf = (property: string): string => names.get(property) ?? variableOf(property)
  return { values, nameOf }
}

function separatorOf(underscores: string): string {
  return underscores.length === 3 ? '-' : underscores.length === 2 ? '_' : '.'
}

function variableOf(property: string): string {
  const written = property.replaceAll('_', '__').replaceAll('-', '___').replaceAll('.', '_')
  return `KAFKA_${written.toUpperCase()}`
}
