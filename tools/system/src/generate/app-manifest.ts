import type { Need } from '../app.ts'
import { ofApp } from '../of-app.ts'
import { variableOf } from '../variable-of.ts'
import { WITHOUT_CLAIMS } from './claimed-headers.ts'
import type { ClusterApp } from './cluster-apps.ts'
import { pathMatches } from './path-matches.ts'
import { writtenYaml } from './written.ts'

/** That of Quarkus. */
export const MANAGEMENT_PORT = 9000

interface Surroundings {
  readonly gateway: string
  /** Paths ending in `/*` of all apps. */
  readonly open: readonly string[]
}

/** All Kubernetes objects of an app, as one file of deploy/kubernetes/base/apps; its routes are at the Gateway `gateway`. */
export function appManifest(name: string, app: ClusterApp, { gateway, open }: Surroundings): string {
  const { serves: paths = [] } = app
  const { pods } = app.cluster
  return writtenYaml(
    deployment(name, app),
    ...(paths.length > 0 ? [service(name)] : []),
    disruptionBudget(name),
    ...(typeof pods === 'string' ? [] : [autoscaler(name, pods.cpuPercent)]),
    ...(app.needs?.some(({ overHttps }) => overHttps === 'everywhere') ? [outsidePolicy(name)] : []),
    ...(paths.length > 0 ? [route(name, app, { gateway, open })] : []),
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
  const env = needs.flatMap((need) => secretVariable(need, name))
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
    ...(needs.some(({ overHttps }) => overHttps === true) ? ['needs-https'] : []),
  ]
  return Object.fromEntries(names.map((name) => [`taproom.dev/${name}`, 'true']))
}

function rollout(pods: ClusterApp['cluster']['pods'], isServed: boolean): object {
  if (pods === 'never two') return { replicas: 1, strategy: { type: 'Recreate' } }
  const gently = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }
  return { ...(pods === 'fixed' && { replicas: 1 }), ...(isServed && { strategy: gently }) }
}

/** The variable of a need whose value is in a Secret, as a container of the app has it. */
export function secretVariable({ variables: [property], cluster }: Need, app: string): object[] {
  if (!('secret' in cluster)) return []
  const { secret, key } = cluster
  return [{ name: variableOf(property), valueFrom: { secretKeyRef: { name: ofApp(secret, app), key } } }]
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

/** Lets its pods out in every overlay: the policy `https` is not in that of development. */
function outsidePolicy(name: string): object {
  const anywhere = [
    { ipBlock: { cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] } },
    { ipBlock: { cidr: '::/0', except: ['fe80::/10'] } },
  ]
  const egress = [{ to: anywhere, ports: [{ protocol: 'TCP', port: 443 }] }]
  const podSelector = { matchLabels: labelled(name) }
  return object('networking.k8s.io/v1', 'NetworkPolicy', `${name}-https`, {
    podSelector,
    policyTypes: ['Egress'],
    egress,
  })
}

function route(
  name: string,
  { serves = [], timeoutSeconds = 10 }: ClusterApp,
  { gateway, open }: Surroundings,
): object {
  const rule = {
    matches: pathMatches(serves, open).map((path) => ({ path })),
    filters: [WITHOUT_CLAIMS],
    timeouts: { request: `${timeoutSeconds}s` },
    backendRefs: [{ name, port: 80 }],
  }
  return object('gateway.networking.k8s.io/v1', 'HTTPRoute', name, { parentRefs: [{ name: gateway }], rules: [rule] })
}
