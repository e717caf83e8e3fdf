import type { NamespacedName } from './object.ts'

/** A cluster address of a broker or service of the platform. */
export type ClusterAddress = { readonly kind: 'broker' | 'service' } & NamespacedName

/**
 * Where events go: to a broker or service of the platform, or to any http URL. Resolved once, when a trigger is reconciled; `uri` is shown
 * in statuses and dead letters.
 */
export type ResolvedDestination = {
  readonly uri: string
  /** Authorities trusted beside Node's, in PEM; in use only at a `url` of https. */
  readonly caCerts?: string | undefined
  /** Requests there carry a token for this audience. */
  readonly audience?: string | undefined
} & (
  | ({ readonly kind: 'broker' } & NamespacedName)
  /** `path` is within the service, with its query. */
  | ({ readonly kind: 'service'; readonly path: string } & NamespacedName)
  | { readonly kind: 'url'; readonly url: URL }
)

type IsBroker = (name: NamespacedName) => boolean

/** Knative's multi-tenant broker has one host for all brokers; the path names the broker. */
export const BROKER_INGRESS_HOST = 'broker-ingress.knative-eventing.svc.cluster.local'

const CLUSTER_HOST = /^(?<name>[a-z0-9-]+)\.(?<namespace>[a-z0-9-]+)\.svc\.cluster\.local$/
/** A port, which may be empty, and the dot that may end a full host name. */
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

/** With or without a port. */
export function isBrokerIngressHost(host: string): boolean {
  return nameOf(host) === BROKER_INGRESS_HOST
}

/** A name that ends in `-broker` means that broker if it exists: a service may have such a name too. */
export function parseClusterHost(host: string, isBroker: IsBroker): ClusterAddress | undefined {
  const { name, namespace } = CLUSTER_HOST.exec(nameOf(host))?.groups ?? {}
  if (name === undefined || namespace === undefined) return undefined
  const broker = { namespace, name: name.endsWith(BROKER_SUFFIX) ? name.slice(0, -BROKER_SUFFIX.length) : '' }
  return broker.name !== '' && isBroker(broker) ? { kind: 'broker', ...broker } : { kind: 'service', namespace, name }
}

/** Reads `/{namespace}/{broker}` of the shared ingress. */
export function parseBrokerPath(path: string): NamespacedName | 'root' | 'wrong-depth' {
  const parts = path.replace(/\/$/, '').split('/', 4).slice(1)
  if (parts.length === 0) return 'root'
  const [namespace, name, ...more] = parts
  return namespace && name && more.length === 0 ? { namespace, name } : 'wrong-depth'
}

/** Undefined for a URL of the shared ingress that names no broker. */
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
