import { HttpClientError } from './http-client-error.ts'

/** Where a connection goes. */
export interface Address {
  readonly isSecure: boolean
  /** A name, or an IP address without brackets. */
  readonly host: string
  readonly port: number
}

/** @throws {TypeError} when the URL is not http or https */
export function addressOf({ protocol, hostname, port }: URL): Address {
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`url must be http or https, not ${protocol}`)
  const isSecure = protocol === 'https:'
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return { isSecure, host, port: port === '' ? (isSecure ? 443 : 80) : Number(port) }
}

/** The value of a header with the credentials of a URL. */
export function basic({ username, password }: Pick<URL, 'username' | 'password'>): string {
  try {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return `Basic ${Buffer.from(credentials).toString('base64')}`
  } catch (cause) {
    throw new HttpClientError('HTTP_REQUEST_INVALID', 'the credentials of the URL are not percent-encoded', { cause })
  }
}
