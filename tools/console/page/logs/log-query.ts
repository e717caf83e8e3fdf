import type { LogLine } from '../../src/api/services.ts'
import type { Query } from '../address.ts'

export const LEVELS: readonly LogLine['level'][] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']

export const FILTERS = ['service', 'level', 'text', 'trace'] as const

export function logPath(query: URLSearchParams, more: Query): string {
  const given = FILTERS.map((name) => [name, query.get(name) ?? ''] as const)
  const all = [...given, ...Object.entries(more)].filter((entry) => (entry[1] ?? '') !== '') as [string, string][]
  return `/api/logs?${new URLSearchParams(all)}`
}
