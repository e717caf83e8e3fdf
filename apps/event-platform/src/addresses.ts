/** Where inside the platform a cluster address leads. */
export type ClusterAddress =
  | { readonly kind: 'broker'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'service'; readonly namespace: string; readonly name: string }

/** The host all brokers share on a cluster with Knative's multi-tenant broker; the path says which. */
export const BROKER_INGRESS_HOST = 'broker-ingress.knative-eventing.svc.cluster.local'

const CLUSTER_HOST = /^(?<name>[a-z0-9-]+)\.(?<namespace>[a-z0-9-]+)\.svc\.cluster\.local(:\d+)?$/
const BROKER_SUFFIX = '-broker'

/** `status.address.url` of a broker (contract 2.8). */
export function brokerUrl(namespace: string, name: string): string {
  return `http://${name}${BROKER_SUFFIX}.${namespace}.svc.cluster.local`
}

/** `status.address.url` of a service, and the `status.subscriberUri` of triggers on it (contract 2.9). */
export function serviceUrl(namespace: string, name: string): string {
  return `http://${name}.${namespace}.svc.cluster.local`
}

/** True for the shared ingress's host, with or without a port. */
export function isBrokerIngressHost(host: string): boolean {
  return host.replace(/:\d+$/, '').toLowerCase() === BROKER_INGRESS_HOST
}

/**
 * What a host inside the cluster means. A name that ends in `-broker` is that broker when there is one, because a service may
 * be called so too.
 */
export function parseClusterHost(
  host: string,
  isBroker: (namespace: string, name: string) => boolean,
): ClusterAddress | undefined {
  const { name, namespace } = CLUSTER_HOST.exec(host.toLowerCase())?.groups ?? {}
  if (name === undefined || namespace === undefined) return undefined
  const broker = name.endsWith(BROKER_SUFFIX) ? name.slice(0, -BROKER_SUFFIX.length) : ''
  if (broker !== '' && isBroker(namespace, broker)) return { kind: 'broker', namespace, name: broker }
  return { kind: 'service', namespace, name }
}

/** The broker that a path of the shared ingress names, or why it names none: the root, or another depth than two. */
export function parseBrokerPath(path: string): { namespace: string; name: string } | 'root' | 'wrong-depth' {
  const parts = path.replace(/\/$/, '').split('/').slice(1)
  if (parts.length === 0) return 'root'
  const [namespace, name, ...more] = parts
  return namespace && name && more.length === 0 ? { namespace, name } : 'wrong-depth'
}
