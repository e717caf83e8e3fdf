import { isIPv6 } from 'node:net'

/** Where a client on this machine reaches what listens on a host and port, without a slash at the end. */
export function httpAddress(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}
