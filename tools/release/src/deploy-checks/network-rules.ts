import type { INetworkPolicyPeer } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyPeer'
import type { DeploymentSet } from './deployment-set.ts'
import { type Endpoint, endpointsOf } from './endpoints.ts'
import { type KubeObject, nameOf, ofKind } from './kube-object.ts'
import { selected } from './selectors.ts'
import { behindService, routedPorts } from './service-ports.ts'
import type { Workload } from './workloads.ts'

/**
 * Other ends of connections, with their ports: a workload (`Deployment taproom/kafka:9092`), `outside:443`, or the labels by which policies
 * find a pod of another namespace; and for each why it is needed, or which policy allows it.
 */
type Ends = ReadonlyMap<string, string>

const OUTSIDE = 'outside'
const DNS = 'kubernetes.io/metadata.name=kube-system,k8s-app=kube-dns'
/** Prometheus, which asks every pod of the namespace. */
const PROMETHEUS = 'kubernetes.io/metadata.name=monitoring'
/** The proxies of the Gateway's controller, and of that of Ingresses. */
const GATEWAY = 'kubernetes.io/metadata.name=envoy-gateway-system'
const INGRESS = 'kubernetes.io/metadata.name=ingress-nginx'

/** Whether each pod reaches exactly the addresses in its variables, and is reached exactly by the pods that need it. */
export function networkProblems(set: DeploymentSet): string[] {
  const pods = set.workloads.filter(({ object }) => object.kind !== 'Service')
  return pods.flatMap((pod) => {
    const [out, targets] = [allowed(pod, set, 'Egress'), targetsOf(pod, set)]
    const [into, callers] = [allowed(pod, set, 'Ingress'), callersOf(pod, set)]
    const problems = [
      ...without(targets, out).map(([port, reason]) => `may not reach port ${port}, needed for ${reason}`),
      ...without(out, targets).map(([port, policy]) => `${policy} lets it reach port ${port}, which it does not need`),
      ...without(callers, into).map(([port, caller]) => `may not be reached on port ${port} by ${caller}`),
      ...without(into, callers).map(([port, policy]) => `${policy} lets others reach port ${port} without need`),
      ...(['Ingress', 'Egress'] as const)
        .filter((direction) => policiesOf(pod, set, direction).length === 0)
        .map((direction) => `anything is allowed in the direction ${direction}`),
    ]
    return problems.map((problem) => `${pod.name}: ${problem}`)
  })
}

/** The ports of the ends that are not among the others, and what is said of each. */
function without(ends: Ends, others: Ends): (readonly [port: string, why: string])[] {
  return [...ends].filter(([end]) => !others.has(end)).map(([end, why]) => [end.replace(/.*:/, ''), why])
}

function policiesOf(pod: Workload, { objects, workloads }: DeploymentSet, direction: 'Ingress' | 'Egress') {
  return ofKind(objects, 'networking.k8s.io/v1/NetworkPolicy').filter(
    (policy) =>
      policy.spec?.policyTypes?.includes(direction) &&
      selected(policy, policy.spec.podSelector, workloads).includes(pod),
  )
}

/** Every TCP port and peer that the policies of a pod name. */
function allowed(pod: Workload, set: DeploymentSet, direction: 'Ingress' | 'Egress'): Ends {
  const ends = new Map<string, string>()
  for (const policy of policiesOf(pod, set, direction)) {
    const rules =
      direction === 'Egress'
        ? policy.spec?.egress?.map(({ to, ports }) => ({ peers: to, ports }))
        : policy.spec?.ingress?.map(({ from, ports }) => ({ peers: from, ports }))
    for (const { peers, ports } of rules ?? []) {
      if (peers == null || ports == null) {
        throw new TypeError(`${nameOf(policy)}: a rule without peers or ports is for all`)
      }
      const names = peers.flatMap((peer) => namesOf(peer, policy, set))
      for (const { port, protocol = 'TCP' } of ports) {
        if (protocol === 'TCP') for (const name of names) ends.set(`${name}:${port}`, nameOf(policy))
      }
    }
  }
  return ends
}

/** An `ipBlock` never stands for a pod here: network plugins differ in that. */
function namesOf(peer: INetworkPolicyPeer, policy: KubeObject, { workloads }: DeploymentSet): string[] {
  const { ipBlock, namespaceSelector, podSelector } = peer
  if (ipBlock != null) return [OUTSIDE]
  if (namespaceSelector == null) return selected(policy, podSelector, workloads).map(({ name }) => name)
  const labels = Object.entries({ ...namespaceSelector.matchLabels, ...podSelector?.matchLabels })
  return [labels.map((label) => label.join('=')).join()]
}

/** What a pod has to reach. */
function targetsOf(pod: Workload, set: DeploymentSet): Ends {
  const endpoints = endpointsOf(set.settings.get(pod.name)?.env ?? {})
  const needed = endpoints.map((endpoint) => [endOf(endpoint, pod, set), endpoint.variable] as const)
  return new Map([[`${DNS}:53`, 'DNS'], ...needed])
}

/** A Service among the objects is reached at its pod's port; any other address is outside. */
function endOf({ host, port }: Endpoint, { namespace }: Workload, set: DeploymentSet): string {
  const found = behindService(set, { name: host, namespace, port })
  return found === undefined ? `${OUTSIDE}:${port}` : `${found.pod.name}:${found.port}`
}

/** What has to reach a pod, and at which of its ports. */
function callersOf(pod: Workload, set: DeploymentSet): Ends {
  const { ports = [] } = pod.container
  const http = set.settings.get(pod.name)?.config.http
  const clients = ports.flatMap(({ containerPort }) =>
    set.workloads
      .filter((client) => targetsOf(client, set).has(`${pod.name}:${containerPort}`))
      .map(({ name }) => [`${name}:${containerPort}`, name] as const),
  )
  const routed = routedPorts(set).filter((one) => one.pod === pod)
  return new Map([
    ...(http === undefined || ports.length === 0
      ? []
      : [[`${PROMETHEUS}:${http.management?.port ?? http.port}`, 'Prometheus'] as const]),
    ...routed.map(({ port, by }) => [`${by === 'ingress' ? INGRESS : GATEWAY}:${port}`, 'the gateway'] as const),
    ...clients,
  ])
}
