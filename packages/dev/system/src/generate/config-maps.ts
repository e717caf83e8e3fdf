import type { Need, Variables } from '../define-system.ts'
import type { ClusterApp } from './app-manifest.ts'
import { yaml } from './written.ts'

/** In the ConfigMap of every app. The grace period of pods is that of `SHUTDOWN_GRACE_MS` and their `preStop` together. */
const EVERY_APP = { LOG_LEVEL: 'info', SHUTDOWN_GRACE_MS: '10000' }

/** The entry of `configMapGenerator` for an app: in the base, or in an overlay, where it adds to that of the base. */
export function configMap(name: string, app: ClusterApp, of: 'base' | 'development' | 'production'): string {
  const { needs = [], cluster } = app
  const own: Variables = of === 'base' ? { ...EVERY_APP, ...cluster.env } : { NODE_ENV: of }
  const variables: Variables = Object.assign({ ...own }, ...needs.map((need) => valuesOf(need, of)))
  const literals = Object.entries(variables).map(([variable, value]) => `${variable}=${value}`)
  const options = { labels: { 'app.kubernetes.io/name': name } }
  return yaml([of === 'base' ? { name, literals, options } : { name, behavior: 'merge', literals }])
}

function valuesOf({ cluster }: Need, of: 'base' | 'development' | 'production'): Variables {
  return 'secret' in cluster ? {} : (cluster[of] ?? {})
}
