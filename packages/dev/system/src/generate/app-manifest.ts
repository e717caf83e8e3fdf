import { type App, type Need, variableOf } from '../define-system.ts'
import { WRITTEN } from './written.ts'

export type ClusterApp = App & { readonly cluster: NonNullable<App['cluster']> }

/** All Kubernetes objects of an app, as one file of deploy/kubernetes/base/apps. */
export function appManifest(name: string, app: ClusterApp): string {
  const paths = [...(app.serves ?? []), ...(app.cluster.alsoServes ?? [])]
  const objects = [
    deployment(name, app),
    ...(paths.length > 0 ? [service(name)] : []),
    disruptionBudget(name),
    ...autoscaler(name, app),
    ...(paths.length > 0 ? [route(name, paths, app.timeoutSeconds ?? 10)] : []),
  ]
  return `# ${WRITTEN}\n${objects.join('---\n')}`
}

function metadata(name: string): string {
  return `metadata:
  name: ${name}
  labels:
    app.kubernetes.io/name: ${name}
`
}

function deployment(name: string, { needs = [], serves = [], cluster }: ClusterApp): string {
  const [cpu = '', cpuLimit = ''] = cluster.cpu.split(' to ')
  const [memory, memoryLimit] = cluster.memory.split(' to ')
  const secrets = needs.flatMap(secretVariable)
  return `apiVersion: apps/v1
kind: Deployment
${metadata(name)}spec:
${rollout(cluster.pods, serves.length > 0)}  selector:
    matchLabels:
      app.kubernetes.io/name: ${name}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: ${name}
${indent(8, labels(needs, serves))}    spec:
      containers:
        - name: ${name}
          image: ${name}
          envFrom:
            - configMapRef:
                name: ${name}
${secrets.length > 0 ? `          env:\n${indent(12, secrets)}` : ''}          resources:
            requests:
              cpu: ${quantity(cpu)}
              memory: ${memory}
            limits:
              cpu: ${quantity(cpuLimit)}
              memory: ${memoryLimit}
`
}

/** Labels that network policies select by. */
function labels(needs: readonly Need[], serves: readonly string[]): string[] {
  const names = [
    'app',
    ...(serves.length > 0 ? ['routed'] : []),
    ...needs.map(({ name }) => `needs-${name}`),
    ...(needs.some(({ overHttps }) => overHttps) ? ['needs-https'] : []),
  ]
  return names.map((name) => `taproom.dev/${name}: "true"`)
}

function rollout(pods: ClusterApp['cluster']['pods'], isServed: boolean): string {
  if (pods === 'never two') return '  replicas: 1\n  strategy:\n    type: Recreate\n'
  const replicas = pods === 'fixed' ? '  replicas: 1\n' : ''
  if (!isServed) return replicas
  return `${replicas}  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
`
}

function secretVariable({ variables: [property], cluster }: Need): string[] {
  if (!('secret' in cluster)) return []
  return [
    `- name: ${variableOf(property)}
  valueFrom:
    secretKeyRef:
      name: ${cluster.secret}
      key: ${cluster.key}`,
  ]
}

function service(name: string): string {
  return `apiVersion: v1
kind: Service
${metadata(name)}spec:
  selector:
    app.kubernetes.io/name: ${name}
  ports:
    - name: http
      port: 80
      targetPort: http
`
}

function disruptionBudget(name: string): string {
  return `apiVersion: policy/v1
kind: PodDisruptionBudget
${metadata(name)}spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      app.kubernetes.io/name: ${name}
`
}

function autoscaler(name: string, { cluster: { pods } }: ClusterApp): string[] {
  if (typeof pods === 'string') return []
  return [
    `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
${metadata(name)}spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: ${name}
  minReplicas: 2
  maxReplicas: 10
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: ${pods.cpuPercent}
`,
  ]
}

function route(name: string, paths: readonly string[], timeoutSeconds: number): string {
  // A prefix matches the paths below it, too.
  const prefixes = paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)))
  return `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
${metadata(name)}spec:
  parentRefs:
    - name: taproom
  rules:
    - matches:
${indent(
  8,
  prefixes.map((path) => `- path:\n    type: PathPrefix\n    value: ${path}`),
)}      timeouts:
        request: ${timeoutSeconds}s
      backendRefs:
        - name: ${name}
          port: 80
`
}

/** Quotes `1`, which YAML would read as a number where Kubernetes wants text. */
function quantity(value: string): string {
  return /^\d+$/.test(value) ? `"${value}"` : value
}

function indent(width: number, entries: readonly string[]): string {
  return entries.map((entry) => `${entry.replaceAll(/^/gm, ' '.repeat(width))}\n`).join('')
}
