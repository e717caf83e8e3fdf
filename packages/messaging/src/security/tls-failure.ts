/** Where and how far a connection was when it failed. */
export interface Place {
  /** `host:port`. */
  readonly broker: string
  /** The name that the certificate must have. */
  readonly name: string
  /** Whether the TLS handshake was done. */
  readonly isSecured: boolean
  /** The end of the certificate's validity, as Node writes it. */
  readonly expiresAt: string | undefined
}

const UNTRUSTED = new Set([
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'INVALID_CA',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** OpenSSL's names for an answer that is no TLS. */
const NOT_TLS = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNKNOWN_PROTOCOL|RECORD_LAYER_FAILURE/

/** The alert that the other side sent, in a code such as ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED. */
const ALERT = /_ALERT_([A-Z_]+)$/

/** Why TLS failed; undefined when the error is about something else. */
export function tlsFailure(error: Error, { broker, name, isSecured, expiresAt }: Place): string | undefined {
  const code = codeOf(error)
  const certificate = `the certificate of Kafka broker ${broker}`
  if (code === 'CERT_HAS_EXPIRED') return `${certificate} expired${pastDate(expiresAt)}`
  if (code === 'CERT_NOT_YET_VALID') return `${certificate} is not valid yet`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `${certificate} is not for ${name}`
  if (UNTRUSTED.has(code)) return `${certificate} is of a CA that is not trusted here (${code})`
  const alert = ALERT.exec(code)?.[1]
  if (alert !== undefined) return `Kafka broker ${broker} refused the TLS connection: ${wordsOf(alert)}`
  if (NOT_TLS.test(code)) return `Kafka broker ${broker} does not speak TLS at this port`
  if (isSecured || code !== 'ECONNRESET') return code.startsWith('ERR_SSL_') ? `TLS with ${broker}: ${code}` : undefined
  return `Kafka broker ${broker} ended the connection during the TLS handshake; perhaps it does not speak TLS at this port`
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}

function wordsOf(alert: string): string {
  return alert.toLowerCase().replaceAll('_', ' ')
}

/** Nothing when it is to come: then a CA's certificate has expired, and not this one. */
function pastDate(text = ''): string {
  const date = new Date(text)
  return date.getTime() < Date.now() ? ` on ${date.toISOString()}` : ', or that of its CA'
}
