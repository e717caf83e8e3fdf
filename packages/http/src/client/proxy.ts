import http, { type ProxyEnv } from 'node:http'
import type { AgentOptions } from 'node:https'
import { isIPv4 } from 'node:net'
import { type Address, addressOf, basic } from './address.ts'

/** A proxy server, as the environment names it. */
export interface OutboundProxy extends Address {
  /** The value of `proxy-authorization`. */
  readonly authorization: string | undefined
  /** The variables that Node's own agents read. */
  readonly env: ProxyEnv
}

/**
 * The proxy that Node's own clients use for an address: undefined unless Node was started with `NODE_USE_ENV_PROXY=1` or `--use-env-proxy`,
 * or `http.setGlobalProxyFromEnv` was called. Node has then checked the URL of the proxy.
 */
export function proxyOf(address: Address): OutboundProxy | undefined {
  // Node has these options for both protocols, its types for https alone. Services that need no TLS start without it.
  const { globalAgent } = address.isSecure ? process.getBuiltinModule('node:https') : http
  const env = (globalAgent as { readonly options?: AgentOptions }).options?.proxyEnv
  if (env === undefined) return undefined
  const text = address.isSecure ? env.https_proxy || env.HTTPS_PROXY : env.http_proxy || env.HTTP_PROXY
  // Node's clients ignore other protocols, too.
  if (text === undefined || !/^https?:\/\//.test(text)) return undefined
  if (isDirect(env.no_proxy || env.NO_PROXY || '', address)) return undefined
  const url = new URL(text)
  const isNamed = url.username !== '' || url.password !== ''
  return { ...addressOf(url), authorization: isNamed ? basic(url) : undefined, env }
}

/** True for an address that `NO_PROXY` lists, in the forms that Node documents for its http and https clients. */
function isDirect(list: string, { host, port }: Address): boolean {
  return list
    .toLowerCase()
    .split(',')
    .map((entry) => entry.trim())
    .some(
      (entry) =>
        entry === '*' ||
        entry === host ||
        entry === `${host}:${port}` ||
        (entry.startsWith('.') && `.${host}`.endsWith(entry)) ||
        (entry.startsWith('*.') && host.endsWith(entry.slice(1))) ||
        isWithin(entry, host),
    )
}

/** True for an IPv4 address within a range such as `10.0.0.1-10.0.0.9`. */
function isWithin(range: string, host: string): boolean {
  const [from = '', to = ''] = range.split('-').map((end) => end.trim())
  return [from, to, host].every(isIPv4) && sortable(from) <= sortable(host) && sortable(host) <= sortable(to)
}

function sortable(ip: string): string {
  return ip.replace(/\d+/g, (part) => part.padStart(3, '0'))
}
