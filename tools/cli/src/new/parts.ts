import { NewUsageError } from './errors.ts'

/** What a service can be made of, in the order in which it is asked for. */
export const PARTS = {
  http: 'GET /NAME, described in OpenAPI',
  jwt: 'a token with the role Subscriber for it (with http)',
  database: 'SQLite or PostgreSQL, with migrations',
  remote: 'calls of a remote service with retry, timeout, circuit breaker and fallback',
  incoming: 'a topic that is read',
  outgoing: 'a topic that is written',
  transform: 'a topic that is written from another one, exactly once',
  health: 'a readiness check of its own, beside those of the parts',
} as const

export type Part = keyof typeof PARTS

/** In the marks of a template: `greeting` is `http` without a resource; `outgoing` is an `outbox` with a resource, else a `channel`. */
export type Mark = Part | 'resource' | 'greeting' | 'outbox' | 'channel'

/** The files of a mark below a service's folder; all others are of every service. */
export const FILES: Readonly<Partial<Record<Mark, readonly string[]>>> = {
  greeting: ['src/template-app-routes.ts', 'src/template-app-description.ts'],
  database: ['src/database.ts'],
  resource: [
    'src/template-item-schema.ts',
    'src/template-item-store.ts',
    'src/template-item-routes.ts',
    'src/template-item-description.ts',
    'tests/template-item.test.ts',
  ],
  remote: ['src/remote.ts', 'tests/remote.test.ts', 'tests/remote-standin-main.ts'],
  incoming: ['src/incoming.ts'],
  outbox: ['src/outbox.ts'],
  channel: ['src/outgoing.ts'],
  transform: ['src/transform.ts'],
  health: ['src/own-check.ts'],
}

/**
 * Reads names of parts, separated by commas; `jwt` brings `http`.
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
  if (chosen.has('jwt')) chosen.add('http')
  return chosen
}

/** A resource is served and stored. */
export const RESOURCE_PARTS: readonly Part[] = ['http', 'database']

export function marksOf(parts: ReadonlySet<Part>, hasResource: boolean): ReadonlySet<Mark> {
  const marks = new Set<Mark>(parts)
  if (hasResource) marks.add('resource')
  else if (parts.has('http')) marks.add('greeting')
  if (parts.has('outgoing')) marks.add(hasResource ? 'outbox' : 'channel')
  return marks
}
