import { brokerUrl, serviceUrl } from '../addresses.ts'
import type { Destination, ObjectReference } from '../resources/destination.ts'
import { type Kind, kindOf } from '../resources/kinds.ts'
import type { ResourceStore } from '../resources/resource-store.ts'

/** A destination's URL, or why it has none. */
export type Resolution = { readonly url: string } | { readonly problem: string }

/** Finds the URL of a destination as seen from an object in `namespace`. */
export function resolveDestination(store: ResourceStore, destination: Destination, namespace: string): Resolution {
  const { ref, uri } = destination
  if (ref === undefined) return uri === undefined ? { problem: 'the destination is empty' } : { url: uri }
  const base = resolveReference(store, ref, ref.namespace ?? namespace)
  if ('problem' in base || uri === undefined) return base
  return { url: new URL(uri, `${base.url}/`).href }
}

function resolveReference(store: ResourceStore, ref: ObjectReference, namespace: string): Resolution {
  const kind = kindOf(ref)
  if (kind?.kind !== 'Broker' && kind?.kind !== 'Service') {
    return { problem: `${ref.kind} of ${ref.apiVersion} has no address here: use a serving Service, a Broker or a uri` }
  }
  if (store.get({ kind: kind.kind, namespace, name: ref.name }) === undefined) {
    return { problem: `${resourceOf(kind)} "${ref.name}" not found` }
  }
  return { url: kind.kind === 'Broker' ? brokerUrl(namespace, ref.name) : serviceUrl(namespace, ref.name) }
}

function resourceOf(kind: Kind): string {
  return `${kind.plural}.${kind.group}`
}
