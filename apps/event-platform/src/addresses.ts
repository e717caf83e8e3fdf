/** A broker of this platform. */
export interface BrokerAddress {
  readonly kind: 'broker'
  readonly namespace: string
  readonly name: string
}

/** A service of this platform. */
export interface ServiceAddress {
  readonly kind: 'service'
  readonly namespace: string
  readonly name: string
}

/** Where inside the platform a cluster address leads. */
export type ClusterAddress = BrokerAddress | ServiceAddress

/** Where an event can be sent: into the platform, or to any other http URL. */
export type Address =
  | BrokerAddress
  | (ServiceAddress & {
      /** The service's own path, with its query. */
      readonly path: string
    })
  | { readonly kind: 'url'; readonly url: URL }

/** An address, and the URL it came from, as it is shown in statuses. */
export interface Target {
  readonly url: string
  readonly address: Address
}

type IsBroker = (namespace: string, name: string) => boolean

/** The host all brokers share on a cluster with Knative's multi-tenant broker; the path says which. */
export const BROKER_INGRESS_HOST = 'broker-ingress.knative-eventing.svc.cluster.local'

const CLUSTER_HOST = /^(?<name>[a-z0-9-]+)\.(?<namespace>[a-z0-9-]+)\.svc\.cluster\.local$/
/** A port, which may be empty, and the dot that ends a name which is complete. */
const DOT_AND_PORT = /\.?(?::\d*)?$/
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
  return nameOf(host) === BROKER_INGRESS_HOST
}

/**
 * What a host inside the cluster means. A name that ends in `-broker` is that broker when there is one, because a service may
 * be called so too.
 */
export function parseClusterHost(host: string, isBroker: IsBroker): ClusterAddress | undefined {
  const { name, namespace } = CLUSTER_HOST.exec(nameOf(host))?.groups ?? {}
  if (name === undefined || namespace === undefined) return undefined
  const broker = name.endsWith(BROKER_SUFFIX) ? name.slice(0, -BROKER_SUFFIX.length) : ''
  if (broker !== '' && isBroker(namespace, broker)) return { kind: 'broker', namespace, name: broker }
  return { kind: 'service', namespace, name }
}

/** The broker that a path of the shared ingress names, or why it names none: the root, or another depth than two. */
export function parseBrokerPath(path: string): { namespace: string; name: string } | 'root' | 'wrong-depth' {
  const parts = path.replace(/\/$/, '').split('/', 4).slice(1)
  if (parts.length === 0) return 'root'
  const [namespace, name, ...more] = parts
  return namespace && name && more.length === 0 ? { namespace, name } : 'wrong-depth'
}

/** Where an http URL leads; undefined for one at the shared ingress that names no broker. */
export function addressOf(url: URL, isBroker: IsBroker): Address | undefined {
  if (isBrokerIngressHost(url.host)) {
    const broker = parseBrokerPath(url.pathname)
    return typeof broker === 'object' ? { kind: 'broker', ...broker } : undefined
  }
  const address = parseClusterHost(url.host, isBroker)
  if (address === undefined) return { kind: 'url', url }
  return address.kind === 'service' ? { ...address, path: `${url.pathname}${url.search}` } : address
}

function nameOf(host: string): string {
  return host.replace(DOT_AND_PORT, '').toLowerCase()
}
