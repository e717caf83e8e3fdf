/** How connections to Kafka are encrypted, and who this client is. Neither by default. */
export interface KafkaSecurity {
  readonly tls?: KafkaTls
  readonly sasl?: KafkaSasl
}

/** PEM text, or a file with it. A file is read for every connection, so that a renewed certificate needs no restart. */
export type Pem = string | { readonly file: string }

export interface KafkaTls {
  /** The CAs that may have issued the brokers' certificates. Default: those that Node trusts. */
  readonly ca?: Pem
  /** This client's certificate with its chain, for brokers that ask for one (mTLS). Goes together with `key`. */
  readonly certificate?: Pem
  readonly key?: Pem
  /** When `key` is encrypted. */
  readonly keyPassword?: string
  /** The name that the brokers' certificates must have. Default: the host that is connected to. */
  readonly serverName?: string
  /** Whether they must have that name. Default true. */
  readonly verifyHostname?: boolean
}

export type PasswordMechanism = 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512'

export type KafkaSasl =
  | { readonly mechanism: PasswordMechanism; readonly username: string; readonly password: string }
  | { readonly mechanism: 'OAUTHBEARER'; readonly token: TokenProvider | TokenEndpoint }

/** Gives the token (RFC 6750) for a connection; called for each, and again when Kafka asks for another before it expires. */
export type TokenProvider = () => Promise<string>

/** An OAuth 2.0 token endpoint that gives tokens for client credentials (RFC 6749, 4.4). */
export interface TokenEndpoint {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scope?: string
}

/** @throws {RangeError} when options contradict each other; the message has no secrets */
export function checkSecurity({ tls, sasl }: KafkaSecurity): void {
  if ((tls?.certificate === undefined) !== (tls?.key === undefined)) {
    throw new RangeError('certificate and key must be given both or neither')
  }
  for (const name of ['ca', 'certificate', 'key'] as const) {
    const pem = tls?.[name]
    if (typeof pem === 'string' && !isPem(pem)) throw new RangeError(`${name} must be PEM, or name a file of it`)
  }
  if (sasl === undefined) return
  if (sasl.mechanism === 'OAUTHBEARER') {
    if (typeof sasl.token !== 'function') checkEndpointUrl(sasl.token.url)
    return
  }
  if (!PASSWORD_MECHANISMS.includes(sasl.mechanism)) {
    const known = [...PASSWORD_MECHANISMS, 'OAUTHBEARER'].join(', ')
    throw new RangeError(`mechanism must be one of ${known}, received ${JSON.stringify(sasl.mechanism)}`)
  }
  if (sasl.username === '' || sasl.password === '') throw new RangeError('username and password must not be empty')
}

/** @throws {RangeError} when a token endpoint cannot be there; the message does not repeat the text, which may have a password */
export function checkEndpointUrl(text: string): URL {
  const url = URL.parse(text)
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (url === null || !isHttp || url.username !== '' || url.password !== '') {
    throw new RangeError('the URL of the token endpoint must be an https or http URL without user and password')
  }
  return url
}

/** Whether it is PEM at all: a file may be empty while it is written. */
export function isPem(text: string): boolean {
  return text.includes('-----BEGIN ')
}

export const PASSWORD_MECHANISMS: readonly PasswordMechanism[] = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512']
