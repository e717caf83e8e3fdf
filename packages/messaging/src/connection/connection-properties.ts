import { parseBootstrapServers } from '../kafka/client.ts'
import type { KafkaSecurity } from '../security/kafka-security.ts'
import { type ConnectionAttributes, connectionAttributes, oneOf, type PropertyReader } from './property-reader.ts'
import { readSasl, SASL_ATTRIBUTES } from './sasl-properties.ts'
import { readTls, TLS_ATTRIBUTES } from './tls-properties.ts'

/** Where Kafka is and how it is spoken to, as `createKafka` takes it. */
export interface ConnectionProperties {
  readonly bootstrapServers: string
  /** Undefined: neither TLS nor SASL. */
  readonly security?: KafkaSecurity
}

export interface ConnectionDefaults {
  /** In production mode a password or token that would be sent unencrypted is refused. Default `production`. */
  readonly mode?: 'development' | 'production'
}

const PROTOCOLS = ['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL'] as const

/**
 * Reads `kafka.bootstrap.servers` (default `localhost:9092`), `kafka.security.protocol` (default PLAINTEXT), and `kafka.sasl.…` and
 * `kafka.ssl.…` as librdkafka names them; a channel's own attributes come first when `prefix` names one, as `mp.messaging.incoming.beers`.
 * What cannot work together is reported, and so is what the protocol or mechanism has no use for.
 */
export function readConnection(
  read: PropertyReader,
  { mode = 'production' }: ConnectionDefaults = {},
  prefix?: string,
): ConnectionProperties {
  const attributes = connectionAttributes(read, prefix)
  const servers = attributes.optional(
    'bootstrap.servers',
    'host:port, or several with commas between',
    parseBootstrapServers,
  )
  const protocol = attributes.isSet('security.protocol')
    ? attributes.required('security.protocol', `one of ${PROTOCOLS.join(', ')}`, oneOf(PROTOCOLS))
    : 'PLAINTEXT'
  const security = protocol && readSecurity(attributes, protocol, mode)
  return { bootstrapServers: servers ?? 'localhost:9092', ...(security !== undefined && { security }) }
}

function readSecurity(
  attributes: ConnectionAttributes,
  protocol: (typeof PROTOCOLS)[number],
  mode: ConnectionDefaults['mode'],
): KafkaSecurity | undefined {
  const why = `${attributes.nameOf('security.protocol')} is ${protocol}`
  const isEncrypted = protocol.endsWith('SSL')
  const isAuthenticated = protocol.startsWith('SASL')
  if (!isEncrypted) attributes.refuse(TLS_ATTRIBUTES, why)
  if (!isAuthenticated) attributes.refuse(SASL_ATTRIBUTES, why)
  const tls = isEncrypted ? readTls(attributes) : undefined
  const sasl = isAuthenticated ? readSasl(attributes, why, mode === 'production') : undefined
  if (sasl !== undefined && !isEncrypted && mode === 'production' && !sasl.mechanism.startsWith('SCRAM')) {
    const secret = sasl.mechanism === 'PLAIN' ? 'password' : 'token'
    attributes.problem(
      'security.protocol',
      `expected SASL_SSL and not ${protocol}, which sends the ${secret} of ${sasl.mechanism} unencrypted (production mode)`,
    )
  }
  if (tls === undefined && sasl === undefined) return undefined
  return { ...(tls && { tls }), ...(sasl && { sasl }) }
}
