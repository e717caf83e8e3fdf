import type { Need } from '../define-system.ts'
import type { ClusterApp } from './app-manifest.ts'

/** In the ConfigMap of every app. The grace period of pods is that of `SHUTDOWN_GRACE_MS` and their `preStop` together. */
const EVERY_APP = ['LOG_LEVEL=info', 'SHUTDOWN_GRACE_MS=10000']

/** The entry of `configMapGenerator` for an app: in the base, or in an overlay, where it adds to that of the base. */
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
