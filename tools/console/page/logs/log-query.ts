import type { LogLine } from '../../src/api/services.ts'
import { address, pairsOf, type Query, setQuery } from '../address.ts'
import type { LineField } from './line-fields.ts'

export const LEVELS: readonly LogLine['level'][] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']

const FILTERS = ['service', 'level', 'text', 'trace', 'from', 'to', 'field', 'exclude'] as const

/** The filter of an address, as the API takes it. */
export function filterOf(query: URLSearchParams): Query {
  return Object.fromEntries(FILTERS.map((name) => [name, query.getAll(name)]))
}

/** A request for what passes the filter of an address: `/api/logs`, or its counts. */
export function logPath(query: URLSearchParams, more: Query, path = '/api/logs'): string {
  return `${path}?${new URLSearchParams(pairsOf({ ...filterOf(query), ...more }))}`
}

/** The longest value in an address: a request has room for several of this length, but not for a stack. */
const MOST_CHARACTERS = 2000

export function canFilterBy({ value }: LineField): boolean {
  return new URLSearchParams({ value }).toString().length <= MOST_CHARACTERS
}

/** Shows the lines that have a field, or those that do not. */
export function filterBy(parameter: 'field' | 'exclude', { name, value }: LineField): void {
  const before = address.value.query.getAll(parameter)
  const isService = name === 'service' && parameter === 'field'
  setQuery(isService ? { service: value } : { [parameter]: [...new Set([...before, `${name}=${value}`])] })
}
