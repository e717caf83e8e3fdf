import { APPS } from '../harness/apps.ts'

/** An image that is there already, of which only its Node is used. */
const IMAGE = `${APPS.claims}:development`

/** A namespace with the Pod Security Standard `restricted` asks this of a pod, and of a container. */
const POD = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } }
const CONTAINER = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } }

export interface NodePod {
  readonly name: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Sources of volumes, by where they are mounted. */
  readonly volumes?: Readonly<Record<string, object>>
  /** Where its program listens, when it does: any port from 1 on. */
  readonly port?: number
}

/** The specification of a pod that runs Node. */
export function nodePod({ name, args, env = {}, volumes = {}, port }: NodePod) {
  const mounted = Object.entries(volumes).map(([mountPath, source], index) => ({
    mountPath,
    source,
    name: `v${index}`,
  }))
  const container = {
    name,
    image: IMAGE,
    command: ['node', ...args],
    env: Object.entries(env).map(([variable, value]) => ({ name: variable, value })),
    securityContext: CONTAINER,
    volumeMounts: mounted.map(({ mountPath, name: volume }) => ({ mountPath, name: volume })),
    ...(port !== undefined && { readinessProbe: { tcpSocket: { port }, periodSeconds: 1 } }),
  }
  // A port below 1024 as any other.
  const sysctls = [{ name: 'net.ipv4.ip_unprivileged_port_start', value: '0' }]
  return {
    terminationGracePeriodSeconds: 1,
    securityContext: { ...POD, ...(port !== undefined && { sysctls }) },
    containers: [container],
    volumes: mounted.map(({ name: volume, source }) => ({ name: volume, ...source })),
  }
}

export interface NodeProgram extends Omit<NodePod, 'args'> {
  /** Text of a CommonJS module. */
  readonly program: string
  readonly port: number
  /** Labels of the pods, beside the one by which they are found. */
  readonly labels?: Readonly<Record<string, string>>
}

/** The label by which the pods of a program, and nothing else, are found. */
export const labelsOf = (name: string) => ({ 'app.kubernetes.io/name': name })

/** The Deployment of a small program for Node. */
export function nodeProgram({ program, labels: more = {}, ...pod }: NodeProgram): object {
  const labels = labelsOf(pod.name)
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: pod.name, labels },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels: { ...labels, ...more } }, spec: nodePod({ ...pod, args: ['-e', program] }) },
    },
  }
}

/** A Service, of this name or another, at another port or the same, for the pods of a program. */
export function serviceOf({ name: program, port: targetPort }: NodeProgram, name: string, port: number): object {
  const metadata = { name, labels: labelsOf(program) }
  const spec = { selector: labelsOf(program), ports: [{ port, targetPort }] }
  return { apiVersion: 'v1', kind: 'Service', metadata, spec }
}

/** For `kubectl apply`. */
export const listOf = (items: readonly object[]) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
