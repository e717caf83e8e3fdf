import { createHash } from 'node:crypto'
import type { Log } from '@taproom/core/lines'
import type { Knex } from 'knex'
import type { Migrations } from './migrations.ts'

export interface ChecksumOptions {
  /** The table that lists the migrations that ran; the checksums are in another one beside it. */
  readonly table: string
  /** Gets a line for each migration that was changed after it ran. */
  readonly log: Pick<Log, 'warn'>
}

/** Migrations by what happened to them in this run. */
export interface RanMigrations {
  readonly now: readonly string[]
  readonly before: readonly string[]
}

const CHANGED =
  'migration was changed after it ran, which has no effect: undo the change and add a new migration; ' +
  'in development pnpm start --fresh makes the database again'

/**
 * Warns of migrations that were changed after they ran, and stores checksums of those that had none. A database without checksums gets them
 * with the next migration that runs: a role that may only read and write starts as before.
 */
export async function compareChecksums(
  queries: Knex,
  { now, before }: RanMigrations,
  migrations: Migrations,
  { table, log }: ChecksumOptions,
): Promise<void> {
  const own = `${table}_checksums`
  if (now.length > 0) await ensureTable(queries, own)
  else if (!(await queries.schema.hasTable(own))) return
  const rows: readonly Row[] = await queries(own).select('name', 'checksum')
  const stored = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  const missing: Row[] = []
  for (const name of [...before, ...now]) {
    const migration = migrations[name]
    if (migration === undefined) continue
    const row = { name, checksum: checksumOf(migration.up) }
    if (now.includes(name) || !stored.has(name)) missing.push(row)
    else if (stored.get(name) !== row.checksum) log.warn({ migration: name }, CHANGED)
  }
  if (missing.length > 0) await queries(own).insert(missing).onConflict('name').merge()
}

interface Row {
  readonly name: string
  readonly checksum: string
}

async function ensureTable(queries: Knex, name: string): Promise<void> {
  await queries.raw('create table if not exists ?? (name varchar(255) primary key, checksum varchar(64) not null)', [
    name,
  ])
}

/** Comments, then what is compared: strings, names of methods and properties, numbers. */
const TOKENS =
  /\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\[\s\S]|[^'\\])*'|"(?:\\[\s\S]|[^"\\])*"|`(?:\\[\s\S]|[^`\\])*`|\.\s*[A-Za-z_$][\w$]*|(?<![\w$.])\d[\w.]*/g

/**
 * The same for code that was formatted or commented in another way, and for the bundles of two releases: a bundler gives variables other
 * names each time, and leaves strings, methods and numbers as they are.
 */
export function checksumOf(up: (...given: never[]) => unknown): string {
  const tokens = [...String(up).matchAll(TOKENS)].flatMap(([token]) => comparedPart(token))
  return createHash('sha256').update(tokens.join('\n')).digest('hex')
}

function comparedPart(token: string): readonly string[] {
  const [first = ''] = token
  if (first === '/') return []
  if (first === '.') return [`.${token.slice(1).trim()}`]
  if (!`'"\``.includes(first)) return [String(Number(token))]
  return [
    token
      .slice(1, -1)
      .replace(/\$\{[^}]*\}/g, '$')
      .replace(/\\[nrt]|\s/g, ' ')
      .replace(/ +/g, ' ')
      .replace(/\\(.)/g, '$1')
      .trim(),
  ]
}
