import { brokerUrl, destinationOf, type ResolvedDestination, serviceUrl } from '../resources/addresses.ts'
import { checkDestinationUri, type Destination, type ObjectReference } from '../resources/destination.ts'
import { kindOf } from '../resources/kinds.ts'
import type { ResourceStore } from '../resources/resource-store.ts'

export type Resolution = ResolvedDestination | { readonly problem: string }

/** Resolves a destination of an object in `namespace`. Never throws: an object stored before a rule was added may break it. */
export function resolveDestination(store: ResourceStore, destination: Destination, namespace: string): Resolution {
  const { ref, uri, caCerts, audience } = destination
  const rule = uri === undefined ? undefined : checkDestinationUri(uri, { hasRef: ref !== undefined })
  if (rule !== undefined) return { problem: `uri ${rule}` }
  if (ref === undefined && uri === undefined) return { problem: 'the destination is empty' }
  const found = ref === undefined ? resolveUri(store, uri ?? '') : resolveReference(store, { namespace, ...ref }, uri)
  if ('problem' in found) return found
  return { ...found, caCerts, audience }
}

/** Whether a destination has `CACerts` although it is reached without TLS: Knative takes them there too, without effect. */
export function hasUnusedCaCerts(destination: ResolvedDestination): boolean {
  const isHttps = destination.kind === 'url' && destination.url.protocol === 'https:'
  return destination.caCerts !== undefined && !isHttps
}

function resolveUri(store: ResourceStore, uri: string): Resolution {
  const destination = destinationOf(uri, (name) => store.get({ kind: 'Broker', ...name }) !== undefined)
  return destination ?? { problem: `${uri} names no broker: use /{namespace}/{broker}` }
}

function resolveReference(store: ResourceStore, ref: Required<ObjectReference>, uri: string | undefined): Resolution {
  const kind = kindOf(ref)
  if (kind?.kind !== 'Broker' && kind?.kind !== 'Service') {
    return { problem: `${ref.kind} of ${ref.apiVersion} has no address here: use a serving Service, a Broker or a uri` }
  }
  const name = { namespace: ref.namespace, name: ref.name }
  if (store.get({ kind: kind.kind, ...name }) === undefined) {
    return { problem: `${kind.plural}.${kind.group} "${ref.name}" not found` }
  }
  const root = kind.kind === 'Broker' ? brokerUrl(name) : serviceUrl(name)
  const url = new URL(uri ?? '/', root)
  const shown = { uri: uri === undefined ? root : url.href }
  return kind.kind === 'Broker'
    ? { ...shown, kind: 'broker', ...name }
    : { ...shown, kind: 'service', ...name, path: `${url.pathname}${url.search}` }
}
