import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Proxies followed back for one request. */
const MAX_HOPS = 16

export type TrustedProxies = Pick<BlockList, 'check'>

/**
 * Addresses and networks such as `127.0.0.1`, `10.0.0.0/8` or `::1`.
 *
 * @throws {RangeError} when a text is neither
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
 * The connection's peer or, while that is a trusted proxy, the address before it, read from the end of `X-Forwarded-For`. Entries before
 * the first untrusted address may be forged.
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

/** Without port, brackets and IPv4-mapped form, which some proxies write; undefined when not an address. */
function plainAddress(text: string): string | undefined {
  const bare = /^\[([\da-f:.]+)\](?::\d{1,5})?$/i.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text
  const mapped = /^::ffff:([\d.]+)$/i.exec(bare)?.[1] ?? bare
  // A zone (`fe80::1%eth0`) means nothing on another machine and may be any text.
  const address = mapped.split('%', 1)[0] ?? ''
  return isIP(address) === 0 ? undefined : address
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
