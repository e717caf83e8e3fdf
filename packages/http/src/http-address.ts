/** The URL at which a client on this machine reaches a server that listens on host and port, without a trailing slash. */
export function httpAddress(host: string, port: number, protocol: 'http' | 'https' = 'http'): string {
  if (host === '0.0.0.0' || host === '::') return `${protocol}://localhost:${port}`
  // Only an IPv6 address has colons; `isIPv6` would compile its pattern to machine code, which takes a millisecond or two of each start.
  return `${protocol}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
