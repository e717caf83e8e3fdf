import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Proxies of one request that are followed back, at most. */
const MAX_HOPS = 16

/** Whose `X-Forwarded-For` is believed. */
export type TrustedProxies = Pick<BlockList, 'check'>

/**
 * Addresses and networks such as `127.0.0.1`, `10.0.0.0/8` or `::1`.
 *
 * @throws {RangeError} for a text that is neither
 */
export function trustedProxies(networks: readonly string[]): TrustedProxies {
  const trusted = new BlockList()
  for (const text of networks) {
    const [address = '', prefix, ...rest] = text.split('/')
    const family = familyOf(address)
    const longest = family === 'ipv4' ? 32 : 128
    const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest)
    if (isIP(address) === 0 || !isPrefix || rest.length > 0) throw new RangeError('neither an address nor a network')
    trusted.addSubnet(address, prefix === undefined ? longest : Number(prefix), family)
  }
  return trusted
}

/**
 * Where a request came from: the peer of its connection or, as long as that is a trusted proxy, what the proxy says about where it had the
 * request from, read from the end of `X-Forwarded-For`. What stands before the first address that is not trusted is anybody's word.
 */
export function clientAddress({ socket, headers }: IncomingMessage, trusted: TrustedProxies): string {
  let address = plainAddress(socket.remoteAddress ?? '') ?? 'unknown'
  const said = String(headers['x-forwarded-for'] ?? '').split(',')
  for (const hop of said.slice(-MAX_HOPS).reverse()) {
    if (isIP(address) === 0 || !trusted.check(address, familyOf(address))) return address
    const before = plainAddress(hop.trim())
    if (before === undefined) return address
    address = before
  }
  return address
}

/** Without the port, brackets and IPv4-mapped form that some proxies write; undefined for what is no address. */
function plainAddress(text: string): string | undefined {
  const bare = /^\[([\da-f:.]+)\](?::\d{1,5})?$/i.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text
  const mapped = /^::ffff:([\d.]+)$/i.exec(bare)?.[1] ?? bare
  // A zone (`fe80::1%eth0`) is of no meaning elsewhere, and may be any text.
  const address = mapped.split('%', 1)[0] ?? ''
  return isIP(address) === 0 ? undefined : address
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
