import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { INSIDE_CLUSTER } from './routes.ts'

/** Whether the gateway serves a request's Host. */
export type ServesHost = (host: string | undefined) => boolean

/**
 * The gateway serves `localhost` and names below it, IP addresses, this machine's name, hosts inside the cluster, and `others`, whatever
 * their case and port. No other name, because a web page can make its own name lead to this machine and would then count as a page of
 * ours (DNS rebinding). A request without a Host (HTTP/1.0) is served: browsers always send one.
 */
export function servedHosts(others: readonly string[]): ServesHost {
  const names = new Set(['localhost', hostname(), ...others].map((name) => name.toLowerCase()))
  return (host) => {
    if (host === undefined) return true
    const name = host.replace(/:\d*$/, '').toLowerCase()
    if (names.has(name) || name.endsWith('.localhost') || INSIDE_CLUSTER.test(name)) return true
    return isIP(name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name) !== 0
  }
}
