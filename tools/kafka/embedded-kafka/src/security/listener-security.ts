import type { SecurityProperties } from '../properties/security-properties.ts'
import { planSasl, type SaslSettings, type SaslSources } from './sasl/sasl-settings.ts'
import { planTls, type TlsSettings } from './tls/tls-settings.ts'

const PROTOCOLS = ['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL'] as const

/** Apache Kafka's `security.protocol` of a listener. */
export type SecurityProtocol = (typeof PROTOCOLS)[number]

export const SECURITY_PROTOCOLS = PROTOCOLS.join(', ')

export function isSecurityProtocol(name: string | undefined): name is SecurityProtocol {
  return PROTOCOLS.some((each) => each === name)
}

/** How a listener lets clients in. */
export interface ListenerSecurity {
  readonly tls: TlsSettings | undefined
  readonly sasl: ((sources: SaslSources) => SaslSettings) | undefined
}

/** What the listener of this name needs for its protocol; what is wrong is added to `problems`. */
export function planSecurity(
  name: string,
  protocol: SecurityProtocol,
  properties: SecurityProperties,
  problems: string[],
): ListenerSecurity {
  const own = properties.of(name)
  const tls = protocol.endsWith('SSL') ? planTls(own, problems) : undefined
  const sasl = protocol.startsWith('SASL') ? planSasl(own, problems) : undefined
  // With SASL the client's certificate is not asked for, unless the listener itself says so, as in Apache Kafka.
  const isAsked = sasl === undefined || properties.isSetFor(name, 'ssl.client.auth')
  return { tls: tls && !isAsked ? { ...tls, clientAuth: 'none' } : tls, sasl }
}
