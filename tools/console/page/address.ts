import { signal } from '@preact/signals'
import { takeSession } from './session.ts'

/** Where the page is: `#/traces/TRACE_ID?span=…`. */
export interface Address {
  readonly view: string
  readonly parts: readonly string[]
  readonly query: URLSearchParams
}

/** A list is a name several times. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>

export const address = signal<Address>(readAddress(''))

export function followAddress(): void {
  const read = () => {
    takeSession()
    address.value = readAddress(location.hash)
  }
  addEventListener('hashchange', read)
  read()
}

function readAddress(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [view = '', ...parts] = path.split('/').map(decoded)
  return { view, parts, query: new URLSearchParams(query) }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** `href('traces', [id], { span })`; what is empty in the query is left out. */
export function href(view: string, parts: readonly string[] = [], query: Query = {}): string {
  const search = new URLSearchParams(pairsOf(query)).toString()
  // Half a character, which a cut text may end with, has no encoding.
  const path = [view, ...parts].map((part) => encodeURIComponent(part.toWellFormed())).join('/')
  return `#/${path}${search === '' ? '' : `?${search}`}`
}

/** Names with their values, as a query has them; what is empty is left out. */
export function pairsOf(query: Query): [name: string, value: string][] {
  return Object.entries(query).flatMap(([name, value = '']) =>
    [value].flat().flatMap((text): [string, string][] => (text === '' ? [] : [[name, text]])),
  )
}

/** Changes the query in place: a filter is no step back. */
export function setQuery(query: Query): void {
  const { view, parts, query: before } = address.value
  const kept = Object.fromEntries([...before.keys()].map((name) => [name, before.getAll(name)]))
  const next = href(view, parts, { ...kept, ...query })
  history.replaceState(null, '', next)
  address.value = readAddress(next)
}
