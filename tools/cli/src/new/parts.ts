import { NewUsageError } from './errors.ts'

/** What a service can be made of, in the order in which it is asked for. */
export const PARTS = {
  http: 'GET /NAME, described in OpenAPI',
  jwt: 'a token with the role Subscriber for it (with http)',
  database: 'SQLite or PostgreSQL, with migrations',
  remote: 'calls of a remote service with retry, timeout, circuit breaker and fallback',
  incoming: 'a topic that is read',
  outgoing: 'a topic that is written',
  outbox: 'a topic that is written from transactions, exactly once (with database)',
  inbox: 'a topic that is read, and each message acted on once (with database)',
  transform: 'a topic that is written from another one, exactly once',
  health: 'a readiness check of its own, beside those of the parts',
} as const

export type Part = keyof typeof PARTS

/**
 * In the marks of a template: `greeting` is `http` without a resource; `channel` is `outgoing` without an `outbox`, which a resource brings;
 * `reader` is `incoming` without an `inbox`.
 */
export type Mark = Part | 'resource' | 'greeting' | 'channel' | 'reader'

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
  reader: ['src/incoming.ts'],
  inbox: ['src/inbox.ts', 'tests/inbox.test.ts'],
  outbox: ['src/outbox.ts', 'tests/outbox.test.ts'],
  channel: ['src/outgoing.ts'],
  transform: ['src/transform.ts'],
  health: ['src/own-check.ts'],
}

/** Parts for the same topic, of which a service has one. */
const ONE_OF = [
  ['outgoing', 'outbox'],
  ['incoming', 'inbox'],
] as const

/**
 * Reads names of parts, separated by commas; `jwt` brings `http`, `outbox` brings `outgoing` and `database`, `inbox` brings `incoming` and
 * `database`.
 *
 * @throws {NewUsageError} when there is no such part, or two of them are for the same topic
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
  for (const [plain, stored] of ONE_OF) {
    if (chosen.has(plain) && chosen.has(stored)) {
      throw new NewUsageError(
        `${plain} and ${stored} are for the same topic: name ${plain} (${PARTS[plain]}) or ${stored} (${PARTS[stored]})`,
      )
    }
    if (chosen.has(stored)) chosen.add(plain).add('database')
  }
  if (chosen.has('jwt')) chosen.add('http')
  return chosen
}

/** Parts of a sink with code. */
export const SINK_PARTS: readonly Part[] = ['database', 'outgoing']

/** In the marks of the template of a sink: `code` is for one with parts, `log` for one without. */
export type SinkMark = 'code' | 'log' | Part

/** The files of a mark below a sink's folder. */
export const SINK_FILES: Readonly<Partial<Record<SinkMark, readonly string[]>>> = {
  code: ['src/config.ts', 'src/template-app-sink.ts'],
  database: ['src/database.ts'],
}

/**
 * Reads names of parts of a sink, separated by commas.
 *
 * @throws {NewUsageError} when there is none, or one that a sink does not have
 */
export function readSinkParts(text: string): ReadonlySet<Part> {
  const parts = readParts(text)
  const [wrong] = [...parts].filter((part) => !SINK_PARTS.includes(part))
  if (wrong === undefined && parts.size > 0) return parts
  throw new NewUsageError(`--with=${text}: a sink may have ${SINK_PARTS.join(', ')}`)
}

/** A resource is served and stored. */
export const RESOURCE_PARTS: readonly Part[] = ['http', 'database']

export function marksOf(parts: ReadonlySet<Part>, hasResource: boolean): ReadonlySet<Mark> {
  const marks = new Set<Mark>(parts)
  if (hasResource) marks.add('resource')
  else if (parts.has('http')) marks.add('greeting')
  if (parts.has('outgoing')) marks.add(hasResource || parts.has('outbox') ? 'outbox' : 'channel')
  if (parts.has('incoming') && !parts.has('inbox')) marks.add('reader')
  return marks
}

export function sinkMarksOf(parts: ReadonlySet<Part>): ReadonlySet<SinkMark> {
  return new Set([...parts, parts.size > 0 ? 'code' : 'log'])
}
