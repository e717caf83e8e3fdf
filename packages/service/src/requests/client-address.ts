import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, type Socket } from 'node:net'

/** Proxies followed back for one request. */
const MAX_HOPS = 16

export type TrustedProxies = Pick<BlockList, 'check'>

/** Those of this machine, such as a gateway beside the service. */
export const LOCAL_PROXIES = '127.0.0.0/8,::1'

/**
 * {@link trustedProxies} of a comma separated text; `none` is none. {@link LOCAL_PROXIES} are read when they are asked for: patterns for
 * addresses take a millisecond or two of each start.
 *
 * @throws {RangeError} when a part is neither address nor network
 */
export function readProxies(text: string): TrustedProxies {
  if (text !== LOCAL_PROXIES) return trustedProxies(text === 'none' ? [] : text.split(',').map((one) => one.trim()))
  let local: BlockList | undefined
  return {
    check(address: string, family?: 'ipv4' | 'ipv6') {
      local ??= trustedProxies(LOCAL_PROXIES.split(','))
      return local.check(address, family)
    },
  } as TrustedProxies
}

/**
 * Addresses and networks such as `127.0.0.1`, `10.0.0.0/8` or `::1`.
 *
 * @throws {RangeError} when a text is neither
 */
export function trustedProxies(networks: readonly string[]): BlockList {
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
  let address = addressOf(socket) ?? 'unknown'
  const said = String(headers['x-forwarded-for'] ?? '').split(',')
  for (const hop of said.slice(-MAX_HOPS).reverse()) {
    if (!isTrusted(address, trusted)) return address
    const before = plainAddress(hop.trim())
    if (before === undefined) return address
    address = before
  }
  return address
}

/** The address at the other end of a connection; undefined once that has gone. */
export function addressOf(socket: Socket): string | undefined {
  return plainAddress(socket.remoteAddress ?? '')
}

export function isTrusted(address: string, trusted: TrustedProxies): boolean {
  return isIP(address) !== 0 && trusted.check(address, familyOf(address))
}

/** What limits count as one client: an IPv4 address, or the /64 of an IPv6 address, as one customer has at least that many. */
export function clientKey(address: string): string {
  if (!address.includes(':')) return address
  const first = groupsOf(address).slice(0, 4)
  return `${first.map((group) => group.toString(16)).join(':')}::/64`
}

function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const [before, after] = [written(head), written(tail ?? '')]
  return [...before, ...Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0), ...after]
}

/** An IPv4 address at the end stands for two. */
function written(text: string): number[] {
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return group === '' ? [] : [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}

/** Without port, brackets and IPv4-mapped form, which some proxies write; undefined when not an address. */
function plainAddress(text: string): string | undefined {
  const bare = /^\[([\da-f:.]+)\](?::\d{1,5})?$/i.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text
  // A zone (`fe80::1%eth0`) means nothing on another machine and may be any text.
  const address = bare.split('%', 1)[0] ?? ''
  const version = isIP(address)
  if (version === 0) return undefined
  return version === 6 ? (mappedAddress(address) ?? address) : address
}

/** The IPv4 address in an IPv6 address that stands for it (RFC 4291, section 2.5.5.2), however that is written. */
function mappedAddress(address: string): string | undefined {
  const [high = 0, low = 0] = groupsOf(address).slice(6)
  const isMapped = groupsOf(address).every((group, index) => index > 5 || group === (index === 5 ? 0xffff : 0))
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : undefined
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
