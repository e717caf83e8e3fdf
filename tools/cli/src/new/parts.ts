import { NewUsageError } from './errors.ts'

/** What a service can be made of, in the order in which it is asked for. */
export const PARTS = {
  http: 'GET /NAME, described in OpenAPI',
  jwt: 'a token with the role Subscriber for it (with http)',
  database: 'SQLite or PostgreSQL, with migrations (with http)',
  remote: 'calls of a remote service with retry, timeout, circuit breaker and fallback (with http)',
  incoming: 'a topic that is read',
  outgoing: 'a topic that is written',
  transform: 'a topic that is written from another one, exactly once',
  health: 'a readiness check of its own, beside those of the parts',
} as const

export type Part = keyof typeof PARTS

/** Nothing else would call these. */
const OF_HTTP: readonly Part[] = ['jwt', 'database', 'remote']

/** In the marks of a template: a service with a resource has neither the greeting of `http` nor the notes of `database`. */
export type Mark = Part | 'resource' | 'greeting' | 'notes'

/** The files of a mark below a service's folder; all others are of every service. */
export const FILES: Readonly<Partial<Record<Mark, readonly string[]>>> = {
  greeting: ['src/template-app-routes.ts', 'src/template-app-description.ts'],
  notes: ['src/notes.ts'],
  resource: [
    'src/template-item-schema.ts',
    'src/template-item-store.ts',
    'src/template-item-routes.ts',
    'src/template-item-description.ts',
    'tests/template-item.test.ts',
  ],
  remote: ['src/remote.ts', 'tests/remote-standin-main.ts'],
  incoming: ['src/received.ts'],
  outgoing: ['src/ticks.ts'],
  transform: ['src/capitals.ts'],
  health: ['src/disk-space-check.ts', 'src/disk-space-check.test.ts'],
}

/**
 * Reads names of parts, separated by commas; `http` is added for those that are of no use without it.
 *
 * @throws {NewUsageError} when there is no such part
 */
export function readParts(text: string): ReadonlySet<Part> {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const unknown = names.find((name) => !Object.hasOwn(PARTS, name))
  if (unknown !== undefined) {
    throw new NewUsageError(`${JSON.stringify(unknown)} is no part: expected ${Object.keys(PARTS).join(', ')}`)
  }
  const chosen = new Set(names as Part[])
  if (OF_HTTP.some((part) => chosen.has(part))) chosen.add('http')
  return chosen
}

/** A resource is served and stored. */
export const RESOURCE_PARTS: readonly Part[] = ['http', 'database']

export function marksOf(parts: ReadonlySet<Part>, hasResource: boolean): ReadonlySet<Mark> {
  const marks = new Set<Mark>(parts)
  if (hasResource) return marks.add('resource')
  if (parts.has('http')) marks.add('greeting')
  if (parts.has('database')) marks.add('notes')
  return marks
}
