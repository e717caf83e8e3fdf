import type { DeploymentSet } from './deployment-set.ts'
import { endpointsOf } from './endpoints.ts'
import { type KubeObject, ofKind } from './kube-object.ts'
import {
  type Allowance,
  allowances,
  allowsEgress,
  allowsIngress,
  isIsolated,
  type Peer,
  type PodPeer,
} from './network-policy.ts'
import { selects } from './selectors.ts'
import type { Workload } from './workloads.ts'

interface Target {
  readonly port: number
  readonly peer: Peer
  readonly reason: string
}

/** Prometheus, which asks every pod of the namespace. */
const PROMETHEUS: Peer = { kind: 'pod', namespace: 'monitoring', labels: {} }
/** The proxies of the Gateway's controller. */
const GATEWAY: Peer = { kind: 'pod', namespace: 'envoy-gateway-system', labels: {} }
const DNS: Target = {
  port: 53,
  peer: { kind: 'pod', namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } },
  reason: 'DNS',
}

/** Whether each pod reaches exactly the addresses in its variables, and is reached exactly by the pods that need it. */
export function networkProblems(set: DeploymentSet): string[] {
  const { objects, workloads, settings } = set
  return workloads
    .filter(({ object }) => object.kind !== 'Service')
    .flatMap((workload) => {
      const pod = podOf(workload)
      const targets = [
        DNS,
        ...endpointsOf(settings.get(workload.name)?.env ?? {}).map((e) => targetOf(e, set, workload)),
      ]
      const callers = callersOf(workload, set)
      return [
        ...(['Ingress', 'Egress'] as const)
          .filter((direction) => !isIsolated(objects, pod, direction))
          .map((direction) => `${workload.name}: anything is allowed in the direction ${direction}`),
        ...targets
          .filter(({ peer, port }) => !allowsEgress(objects, pod, peer, port))
          .map(({ reason, port }) => `${workload.name}: may not reach port ${port}, needed for ${reason}`),
        ...callers
          .filter(({ peer, port }) => !allowsIngress(objects, pod, peer, port))
          .map(({ reason, port }) => `${workload.name}: may not be reached on port ${port} by ${reason}`),
        ...allowances(objects, pod, 'egress')
          .filter((allowance) => !isNeeded(allowance, targets))
          .map(({ policy, port }) => `${workload.name}: ${policy} lets it reach port ${port}, which it does not need`),
        ...allowances(objects, pod, 'ingress')
          .filter((allowance) => !isNeeded(allowance, callers))
          .map(({ policy, port }) => `${workload.name}: ${policy} lets others reach port ${port} without need`),
      ]
    })
}

/** Peers in other namespaces appear in policies alone: there only the port can be compared. */
function isNeeded({ port, peer }: Allowance, targets: readonly Target[]): boolean {
  return targets.some((target) => target.port === port && (target.peer.kind === 'outside') === (peer.ipBlock != null))
}

function podOf({ namespace, labels }: Workload): PodPeer {
  return { kind: 'pod', namespace, labels }
}

/** A Service among the objects is reached at its pod's port; any other address is outside. */
function targetOf(
  { variable, host, port }: ReturnType<typeof endpointsOf>[number],
  { objects, workloads }: DeploymentSet,
  { namespace }: Workload,
): Target {
  const service = ofKind(objects, 'v1/Service').find(
    ({ metadata }) => host === metadata.name && metadata.namespace === namespace,
  )
  if (service === undefined) return { port, peer: { kind: 'outside' }, reason: variable }
  const pod = workloads.find(({ labels }) => selects({ matchLabels: service.spec?.selector ?? {} }, labels))
  const targetPort = service.spec?.ports?.find((entry) => entry.port === port)?.targetPort ?? port
  const containerPort = pod?.container.ports?.find(({ name }) => name === targetPort)?.containerPort
  return {
    port: containerPort ?? Number(targetPort),
    peer: { kind: 'pod', namespace, labels: pod?.labels ?? {} },
    reason: variable,
  }
}

function callersOf(workload: Workload, set: DeploymentSet): Target[] {
  const { objects, workloads, settings } = set
  const own = podOf(workload)
  const port = workload.container.ports?.[0]?.containerPort
  if (port === undefined) return []
  const scraped = settings.has(workload.name) ? [{ port, peer: PROMETHEUS, reason: 'Prometheus' }] : []
  const routed = isRouted(workload, objects) ? [{ port, peer: GATEWAY, reason: 'the gateway' }] : []
  const clients = workloads
    .filter((client) =>
      endpointsOf(settings.get(client.name)?.env ?? {}).some((endpoint) => {
        const { peer } = targetOf(endpoint, set, client)
        return peer.kind === 'pod' && peer.labels === own.labels
      }),
    )
    .map((client) => ({ port, peer: podOf(client), reason: client.name }))
  return [...scraped, ...routed, ...clients]
}

function isRouted({ labels, namespace }: Workload, objects: readonly KubeObject[]): boolean {
  const services = ofKind(objects, 'v1/Service').filter(({ spec }) =>
    selects({ matchLabels: spec?.selector ?? {} }, labels),
  )
  return ofKind(objects, 'gateway.networking.k8s.io/v1/HTTPRoute').some(
    ({ metadata, spec }) =>
      metadata.namespace === namespace &&
      spec?.rules?.some(({ backendRefs }) =>
        backendRefs?.some(({ name }) => services.some((service) => service.metadata.name === name)),
      ),
  )
}
