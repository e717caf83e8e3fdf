import type { Need } from '../define-system.ts'
import type { ClusterApp } from './app-manifest.ts'

/** What every app has in its ConfigMap: `preStop` and this make up the grace period of its pods. */
const EVERY_APP = ['LOG_LEVEL=info', 'SHUTDOWN_GRACE_MS=10000']

/** The entry of `configMapGenerator` for an app, everywhere or in an overlay, where it is added to the first. */
export function configMap(
  name: string,
  { needs = [], cluster }: ClusterApp,
  of: 'base' | 'development' | 'production',
): string {
  const own = of === 'base' ? [...EVERY_APP, ...literals(cluster.env ?? {})] : [`NODE_ENV=${of}`]
  const values = [...own, ...needs.flatMap((need) => literals(valuesOf(need, of)))].map((literal) => `    - ${literal}`)
  return of === 'base'
    ? `- name: ${name}
  literals:
${values.join('\n')}
  options:
    labels:
      app.kubernetes.io/name: ${name}`
    : `- name: ${name}
  behavior: merge
  literals:
${values.join('\n')}`
}

function valuesOf({ cluster }: Need, of: 'base' | 'development' | 'production') {
  return 'secret' in cluster ? {} : (cluster[of] ?? {})
}

function literals(variables: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(variables).map(([name, value]) => `${name}=${value}`)
}
