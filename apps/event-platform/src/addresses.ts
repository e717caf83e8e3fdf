import type { NamespacedName } from './resources/namespaced-name.ts'

/** Where inside the platform a cluster address leads. */
export type ClusterAddress = { readonly kind: 'broker' | 'service' } & NamespacedName

/**
 * Where events go: into the platform, or to any other http URL. Found once, when a trigger is reconciled; `uri` is the URL that
 * statuses and dead letters show.
 */
export type ResolvedDestination = { readonly uri: string } & (
  | ({ readonly kind: 'broker' } & NamespacedName)
  /** `path` is the service's own, with its query. */
  | ({ readonly kind: 'service'; readonly path: string } & NamespacedName)
  | { readonly kind: 'url'; readonly url: URL }
)

type IsBroker = (name: NamespacedName) => boolean

/** The host all brokers share on a cluster with Knative's multi-tenant broker; the path says which. */
export const BROKER_INGRESS_HOST = 'broker-ingress.knative-eventing.svc.cluster.local'

const CLUSTER_HOST = /^(?<name>[a-z0-9-]+)\.(?<namespace>[a-z0-9-]+)\.svc\.cluster\.local$/
/** A port, which may be empty, and the dot that ends a name which is complete. */
const DOT_AND_PORT = /\.?(?::\d*)?$/
const BROKER_SUFFIX = '-broker'

/** `status.address.url` of a broker (contract 2.8). */
export function brokerUrl({ namespace, name }: NamespacedName): string {
  return `http://${name}${BROKER_SUFFIX}.${namespace}.svc.cluster.local`
}

/** `status.address.url` of a service, and the `status.subscriberUri` of triggers on it (contract 2.9). */
export function serviceUrl({ namespace, name }: NamespacedName): string {
  return `http://${name}.${namespace}.svc.cluster.local`
}

/** True for the shared ingress's host, with or without a port. */
export function isBrokerIngressHost(host: string): boolean {
  return nameOf(host) === BROKER_INGRESS_HOST
}

/**
 * What a host inside the cluster means. A name that ends in `-broker` is that broker when there is one, because a service may
 * be called so too.
 */
export function parseClusterHost(host: string, isBroker: IsBroker): ClusterAddress | undefined {
  const { name, namespace } = CLUSTER_HOST.exec(nameOf(host))?.groups ?? {}
  if (name === undefined || namespace === undefined) return undefined
  const broker = { namespace, name: name.endsWith(BROKER_SUFFIX) ? name.slice(0, -BROKER_SUFFIX.length) : '' }
  return broker.name !== '' && isBroker(broker) ? { kind: 'broker', ...broker } : { kind: 'service', namespace, name }
}

/** The broker that a path of the shared ingress names, or why it names none: the root, or another depth than two. */
export function parseBrokerPath(path: string): NamespacedName | 'root' | 'wrong-depth' {
  const parts = path.replace(/\/$/, '').split('/', 4).slice(1)
  if (parts.length === 0) return 'root'
  const [namespace, name, ...more] = parts
  return namespace && name && more.length === 0 ? { namespace, name } : 'wrong-depth'
}

/** Where an http URL leads; undefined for one at the shared ingress that names no broker. */
export function destinationOf(uri: string, isBroker: IsBroker): ResolvedDestination | undefined {
  const url = new URL(uri)
  if (isBrokerIngressHost(url.host)) {
    const broker = parseBrokerPath(url.pathname)
    return typeof broker === 'object' ? { uri, kind: 'broker', ...broker } : undefined
  }
  const address = parseClusterHost(url.host, isBroker)
  if (address === undefined) return { uri, kind: 'url', url }
  const { kind, ...name } = address
  return kind === 'broker' ? { uri, kind, ...name } : { uri, kind, ...name, path: `${url.pathname}${url.search}` }
}

function nameOf(host: string): string {
  return host.replace(DOT_AND_PORT, '').toLowerCase()
}
