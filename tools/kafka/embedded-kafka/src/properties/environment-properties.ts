/** Variables of this command: those that Apache Kafka does not have, those of its properties that are options here, and those of older versions. */
const OWN = new Set(
  `
    HOST PORT BROKERS ADVERTISE DATA_DIR TOPICS CONTROL_PORT CONTROL_HOST SCHEMA_REGISTRY_PORT ADD_SCRAM
    LISTENERS ADVERTISED_LISTENERS LISTENER_SECURITY_PROTOCOL_MAP ADVERTISED_HOST_NAME ADVERTISED_PORT
  `
    .trim()
    .split(/\s+/)
    .map((name) => `KAFKA_${name}`),
)

/** Variables of images that are for the JVM and their scripts, and Bitnami's users. */
const OF_IMAGES =
  /^KAFKA_(?:VERSION|HOME|OPTS|(?:HEAP|JMX|JVM|JVM_PERFORMANCE|GC_LOG|LOG4J)_OPTS|JMX_(?:PORT|HOSTNAME)|(?:TOOLS_)?LOG4J_.*|(?:CLIENT|INTER_BROKER)_(?:USERS?|PASSWORDS?))$/

const SERVICE_NAME = /_SERVICE_HOST$|_SERVICE_PORT(?:_|$)|_PORT_\d+_(?:TCP|UDP)(?:_|$)/

/** True for a variable that Kubernetes sets in every pod for a Service, such as `KAFKA_PORT=tcp://10.0.0.1:9092` for one named kafka. */
export function isOfService(variable: string, value = ''): boolean {
  return SERVICE_NAME.test(variable) || /^(?:tcp|udp):\/\//.test(value)
}

export interface Properties {
  readonly values: Readonly<Record<string, string>>
  /** The name under which a property was given, or could have been: its variable. */
  nameOf(property: string): string
}

/**
 * The properties among environment variables, named as by Apache Kafka's image: `KAFKA_SSL_CLIENT_AUTH` is `ssl.client.auth`, two
 * underscores are one of the name, three are a hyphen.
 */
export function propertiesOf(env: Readonly<Record<string, string | undefined>>): Properties {
  const names = new Map<string, string>()
  const values: Record<string, string> = {}
  for (const [variable, value] of Object.entries(env)) {
    if (!variable.startsWith('KAFKA_') || !value || OWN.has(variable) || OF_IMAGES.test(variable)) continue
    if (isOfService(variable, value)) continue
    const property = variable
      .slice('KAFKA_'.length)
      .toLowerCase()
      .replaceAll(/___|__|_/g, separatorOf)
    names.set(property, variable)
    values[property] = value
  }
  return { values, nameOf: (property) => names.get(property) ?? variableOf(property) }
}

function separatorOf(underscores: string): string {
  return underscores.length === 3 ? '-' : underscores.length === 2 ? '_' : '.'
}

/** The variable of a property. */
export function variableOf(property: string): string {
  const written = property.replaceAll('_', '__').replaceAll('-', '___').replaceAll('.', '_')
  return `KAFKA_${written.toUpperCase()}`
}
