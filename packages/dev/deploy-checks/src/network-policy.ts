import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import type { INetworkPolicyPeer } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyPeer'
import { type KubeObject, nameOf, ofKind } from './kube-object.ts'
import { selects } from './selectors.ts'

/** One end of a connection: a pod, or an address outside the cluster. */
export type Peer =
  | { readonly kind: 'pod'; readonly namespace: string; readonly labels: Readonly<Record<string, string>> }
  | { readonly kind: 'outside' }

/** A pod as policies see it. */
export type PodPeer = Extract<Peer, { kind: 'pod' }>

/** A TCP port and a peer, as a policy writes it, that are allowed. */
export interface Allowance {
  readonly policy: string
  readonly port: number
  readonly peer: INetworkPolicyPeer
  readonly namespace: string
}

/** Kubernetes labels every namespace with its name. */
const NAMESPACE_NAME = 'kubernetes.io/metadata.name'

/**
 * Whether a connection may leave a pod: no policy of the direction selects the pod, or one that does allows the connection.
 */
export function allowsEgress(objects: readonly KubeObject[], from: PodPeer, to: Peer, port: number): boolean {
  return !isIsolated(objects, from, 'Egress') || allowances(objects, from, 'egress').some(isFor(to, port))
}

/** Whether a connection to a pod may enter it. */
export function allowsIngress(objects: readonly KubeObject[], to: PodPeer, from: Peer, port: number): boolean {
  return !isIsolated(objects, to, 'Ingress') || allowances(objects, to, 'ingress').some(isFor(from, port))
}

/** Whether any policy restricts the pod. */
export function isIsolated(objects: readonly KubeObject[], pod: PodPeer, direction: 'Ingress' | 'Egress'): boolean {
  return policiesOf(objects, pod).some(({ spec }) => spec?.policyTypes?.includes(direction))
}

/** Every TCP port and peer that a pod may reach (`egress`) or be reached by (`ingress`). */
export function allowances(objects: readonly KubeObject[], pod: PodPeer, direction: 'egress' | 'ingress'): Allowance[] {
  return policiesOf(objects, pod).flatMap((policy) => {
    const rules =
      direction === 'egress'
        ? policy.spec?.egress?.map(({ to, ports }) => ({ peers: to, ports }))
        : policy.spec?.ingress?.map(({ from, ports }) => ({ peers: from, ports }))
    return (rules ?? []).flatMap(({ peers, ports }) => {
      if (peers == null || ports == null)
        throw new TypeError(`${nameOf(policy)}: a rule without peers or ports is for all`)
      return ports
        .filter(({ protocol = 'TCP' }) => protocol === 'TCP')
        .flatMap(({ port }) =>
          peers.map((peer) => ({ policy: nameOf(policy), port: Number(port), peer, namespace: pod.namespace })),
        )
    })
  })
}

function policiesOf(objects: readonly KubeObject[], pod: PodPeer): (KubeObject & INetworkPolicy)[] {
  return ofKind(objects, 'networking.k8s.io/v1/NetworkPolicy').filter(
    ({ metadata, spec }) => metadata.namespace === pod.namespace && selects(spec?.podSelector ?? {}, pod.labels),
  )
}

function isFor(other: Peer, port: number) {
  return ({ peer, port: allowed, namespace }: Allowance) => {
    if (allowed !== port) return false
    if (other.kind === 'outside') return peer.ipBlock != null
    // ipBlock never matches a pod here: network plugins differ in that.
    if (peer.ipBlock != null) return false
    const isThere =
      peer.namespaceSelector == null
        ? other.namespace === namespace
        : selects(peer.namespaceSelector, { [NAMESPACE_NAME]: other.namespace })
    return isThere && selects(peer.podSelector ?? {}, other.labels)
  }
}
