import { type App, type Need, variableOf } from '../define-system.ts'
import { writtenYaml } from './written.ts'

/** That of Quarkus. */
export const MANAGEMENT_PORT = 9000

export type ClusterApp = App & { readonly cluster: NonNullable<App['cluster']> }

/** All Kubernetes objects of an app, as one file of deploy/kubernetes/base/apps. */
export function appManifest(name: string, app: ClusterApp): string {
  const { serves: paths = [] } = app
  const { pods } = app.cluster
  return writtenYaml(
    deployment(name, app),
    ...(paths.length > 0 ? [service(name)] : []),
    disruptionBudget(name),
    ...(typeof pods === 'string' ? [] : [autoscaler(name, pods.cpuPercent)]),
    ...(paths.length > 0 ? [route(name, paths, app.timeoutSeconds ?? 10)] : []),
  )
}

function labelled(name: string) {
  return { 'app.kubernetes.io/name': name }
}

function object(apiVersion: string, kind: string, name: string, spec: object) {
  return { apiVersion, kind, metadata: { name, labels: labelled(name) }, spec }
}

function deployment(name: string, { needs = [], serves = [], cluster }: ClusterApp): object {
  const [cpu, cpuLimit] = cluster.cpu.split(' to ')
  const [memory, memoryLimit] = cluster.memory.split(' to ')
  const env = needs.flatMap(secretVariable)
  const container = {
    name,
    image: name,
    envFrom: [{ configMapRef: { name } }],
    ...(env.length > 0 && { env }),
    resources: { requests: { cpu, memory }, limits: { cpu: cpuLimit, memory: memoryLimit } },
  }
  return object('apps/v1', 'Deployment', name, {
    ...rollout(cluster.pods, serves.length > 0),
    selector: { matchLabels: labelled(name) },
    template: {
      metadata: { labels: { ...labelled(name), ...policyLabels(needs, serves) } },
      spec: { containers: [container] },
    },
  })
}

/** Labels that network policies select by. */
function policyLabels(needs: readonly Need[], serves: readonly string[]): object {
  const names = [
    'app',
    ...(serves.length > 0 ? ['routed'] : []),
    ...needs.map(({ name }) => `needs-${name}`),
    ...(needs.some(({ overHttps }) => overHttps) ? ['needs-https'] : []),
  ]
  return Object.fromEntries(names.map((name) => [`taproom.dev/${name}`, 'true']))
}

function rollout(pods: ClusterApp['cluster']['pods'], isServed: boolean): object {
  if (pods === 'never two') return { replicas: 1, strategy: { type: 'Recreate' } }
  const gently = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }
  return { ...(pods === 'fixed' && { replicas: 1 }), ...(isServed && { strategy: gently }) }
}

function secretVariable({ variables: [property], cluster }: Need): object[] {
  if (!('secret' in cluster)) return []
  const { secret, key } = cluster
  return [{ name: variableOf(property), valueFrom: { secretKeyRef: { name: secret, key } } }]
}

function service(name: string): object {
  const ports = [
    { name: 'http', port: 80, targetPort: 'http' },
    { name: 'management', port: MANAGEMENT_PORT, targetPort: 'management' },
  ]
  return object('v1', 'Service', name, { selector: labelled(name), ports })
}

function disruptionBudget(name: string): object {
  const selector = { matchLabels: labelled(name) }
  const spec = { maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow', selector }
  return object('policy/v1', 'PodDisruptionBudget', name, spec)
}

function autoscaler(name: string, averageUtilization: number): object {
  const target = { type: 'Utilization', averageUtilization }
  return object('autoscaling/v2', 'HorizontalPodAutoscaler', name, {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    minReplicas: 2,
    maxReplicas: 10,
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
  })
}

function route(name: string, paths: readonly string[], timeoutSeconds: number): object {
  // A prefix matches the paths below it, too.
  const prefixes = paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)))
  const rule = {
    matches: prefixes.map((value) => ({ path: { type: 'PathPrefix', value } })),
    timeouts: { request: `${timeoutSeconds}s` },
    backendRefs: [{ name, port: 80 }],
  }
  return object('gateway.networking.k8s.io/v1', 'HTTPRoute', name, { parentRefs: [{ name: 'taproom' }], rules: [rule] })
}
