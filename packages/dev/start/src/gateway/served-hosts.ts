import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { insideCluster } from './routes.ts'

/** Tells whether a request's Host is one that the gateway serves. */
export type ServesHost = (host: string | undefined) => boolean

/**
 * The hosts the gateway serves: `localhost` and names below it, addresses, this machine's own name, those inside the cluster, and `others`. A web
 * page can make its own name lead to this machine and would then be as good as a page of ours (DNS rebinding); no such name is served. Compared
 * without regard to case, to the port, or to what is below a name. A client of HTTP/1.0 may name none: browsers always do.
 */
export function servedHosts(others: readonly string[]): ServesHost {
  const names = new Set(['localhost', hostname(), ...others].map((name) => name.toLowerCase()))
  return (host) => {
    if (host === undefined) return true
    const name = host.replace(/:\d*$/, '').toLowerCase()
    if (names.has(name) || name.endsWith('.localhost') || insideCluster.test(name)) return true
    return isIP(name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name) !== 0
  }
}
