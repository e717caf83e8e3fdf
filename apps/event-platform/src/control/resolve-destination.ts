import { type Address, addressOf, brokerUrl, serviceUrl, type Target } from '../addresses.ts'
import { checkDestinationUri, type Destination, type ObjectReference } from '../resources/destination.ts'
import { type Kind, kindOf } from '../resources/kinds.ts'
import type { ResourceStore } from '../resources/resource-store.ts'

/** Where a destination leads, or why nowhere. */
export type Resolution = Target | { readonly problem: string }

/**
 * Finds where a destination leads as seen from an object in `namespace`. Never throws: an object that was stored before a rule came
 * can break it.
 */
export function resolveDestination(store: ResourceStore, destination: Destination, namespace: string): Resolution {
  const { ref, uri } = destination
  const rule = uri === undefined ? undefined : checkDestinationUri(uri, { hasRef: ref !== undefined })
  if (rule !== undefined) return { problem: `uri ${rule}` }
  if (ref === undefined) return uri === undefined ? { problem: 'the destination is empty' } : resolveUrl(store, uri)
  const base = resolveReference(store, ref, ref.namespace ?? namespace)
  if ('problem' in base || uri === undefined) return base
  return resolveUrl(store, new URL(uri, base.url).href)
}

function resolveUrl(store: ResourceStore, url: string): Resolution {
  const isBroker = (namespace: string, name: string) => store.get({ kind: 'Broker', namespace, name }) !== undefined
  const address = addressOf(new URL(url), isBroker)
  return address === undefined ? { problem: `${url} names no broker: use /{namespace}/{broker}` } : { url, address }
}

function resolveReference(store: ResourceStore, ref: ObjectReference, namespace: string): Resolution {
  const kind = kindOf(ref)
  if (kind?.kind !== 'Broker' && kind?.kind !== 'Service') {
    return { problem: `${ref.kind} of ${ref.apiVersion} has no address here: use a serving Service, a Broker or a uri` }
  }
  const { name } = ref
  if (store.get({ kind: kind.kind, namespace, name }) === undefined) {
    return { problem: `${resourceOf(kind)} "${name}" not found` }
  }
  const [url, address]: [string, Address] =
    kind.kind === 'Broker'
      ? [brokerUrl(namespace, name), { kind: 'broker', namespace, name }]
      : [serviceUrl(namespace, name), { kind: 'service', namespace, name, path: '/' }]
  return { url, address }
}

function resourceOf(kind: Kind): string {
  return `${kind.plural}.${kind.group}`
}
