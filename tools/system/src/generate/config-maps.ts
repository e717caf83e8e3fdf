import type { Need, Variables } from '../app.ts'
import { MANAGEMENT_PORT } from './app-manifest.ts'
import type { ClusterApp } from './cluster-apps.ts'

/** In the ConfigMap of every app. The grace period of pods is that of `SHUTDOWN_GRACE_MS` and their `preStop` together. */
const EVERY_APP = { LOG_LEVEL: 'info', SHUTDOWN_GRACE_MS: '10000', MANAGEMENT_PORT: String(MANAGEMENT_PORT) }

/** Wherever a cluster may have its pods, and Docker its containers: RFC 1918, RFC 6598 and RFC 4193. */
export const PRIVATE_NETWORKS = '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,100.64.0.0/10,fc00::/7'

/** In that of every app with a route. Who reaches its pods is a proxy of the Gateway, which network policies see to. */
const ROUTED_APP = {
  HTTP_TRUSTED_PROXIES: PRIVATE_NETWORKS,
  // Envoy keeps idle connections for an hour. Whoever closes first must be Envoy, else it sends a request into a connection that ends.
  HTTP_KEEP_ALIVE_TIMEOUT_MS: '3600000',
}

/** In that of every app in production; the proxies of the Gateway have the access log. */
const PRODUCTION = { NODE_ENV: 'production', HTTP_SECURITY_LOG: 'true', HTTP_ACCESS_LOG: 'false' }

/** The entry of `configMapGenerator` for an app: in the base, or in an overlay, where it adds to that of the base. */
export function configMap(name: string, app: ClusterApp, of: 'base' | 'development' | 'production'): object {
  const { needs = [], serves = [], cluster } = app
  const own: Variables = {
    base: { ...EVERY_APP, ...(serves.length > 0 && ROUTED_APP), ...cluster.env },
    development: { NODE_ENV: of },
    production: { ...PRODUCTION, ...cluster.production },
  }[of]
  const variables: Variables = Object.assign({ ...own }, ...needs.map((need) => valuesOf(need, of)))
  const literals = Object.entries(variables).map(([variable, value]) => `${variable}=${value}`)
  const options = { labels: { 'app.kubernetes.io/name': name } }
  return of === 'base' ? { name, literals, options } : { name, behavior: 'merge', literals }
}

function valuesOf({ cluster }: Need, of: 'base' | 'development' | 'production'): Variables {
  return 'secret' in cluster ? {} : (cluster[of] ?? {})
}
