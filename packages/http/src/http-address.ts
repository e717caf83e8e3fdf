import { isIPv6 } from 'node:net'

/** The URL at which a client on this machine reaches a server that listens on host and port, without a trailing slash. */
export function httpAddress(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}
