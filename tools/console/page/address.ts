import { signal } from '@preact/signals'
import { takeSession } from './session.ts'

/** Where the page is: `#/traces/TRACE_ID?span=…`. */
export interface Address {
  readonly view: string
  readonly parts: readonly string[]
  readonly query: URLSearchParams
}

export type Query = Readonly<Record<string, string | undefined>>

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
  const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '')
  const search = new URLSearchParams(given).toString()
  // Half a character, which a cut text may end with, has no encoding.
  const path = [view, ...parts].map((part) => encodeURIComponent(part.toWellFormed())).join('/')
  return `#/${path}${search === '' ? '' : `?${search}`}`
}

/** Changes the query in place: a filter is no step back. */
export function setQuery(query: Query): void {
  const { view, parts, query: before } = address.value
  const next = href(view, parts, { ...Object.fromEntries(before), ...query })
  history.replaceState(null, '', next)
  address.value = readAddress(next)
}
