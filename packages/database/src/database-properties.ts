/** The default of the largest number of connections to PostgreSQL. */
export const POOL_MAX = 10

export type DatabaseConfig =
  | { readonly kind: 'sqlite'; readonly file: string }
  | {
      readonly kind: 'postgres'
      readonly url: string
      /** Connections at most. Default {@link POOL_MAX}. */
      readonly poolMax?: number
    }

/** What {@link readDatabase} reads. */
export interface DatabaseProperties {
  readonly database: DatabaseConfig
  /** False where a separate job migrates once per release. */
  readonly migrateAtStart: boolean
  /** How long such a job waits for a database that cannot be reached, in milliseconds. */
  readonly migrateWaitMs: number
}

/** Reads variables, and collects what is wrong with them; the reader of `parseEnv` fits. */
export interface PropertyReader {
  boolean(name: string, options: { readonly default: boolean }): boolean
  integer(name: string, options: { readonly default: number; readonly min: number; readonly max: number }): number
  custom<T>(
    name: string,
    options: {
      readonly expected: string
      readonly parse: (text: string) => T
      readonly default?: string
      readonly secret?: boolean
    },
  ): T
}

/**
 * Reads `DATABASE_URL`, by default the SQLite file that is given, `DATABASE_POOL_MAX`, by default 10 connections to PostgreSQL,
 * `DATABASE_MIGRATE_AT_START`, by default true, and `DATABASE_MIGRATE_WAIT_MS`, by default a minute.
 */
export function readDatabase(read: PropertyReader, { file }: { readonly file: string }): DatabaseProperties {
  const database = read.custom('DATABASE_URL', {
    expected: 'sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE',
    parse: parseDatabaseUrl,
    default: `sqlite:${file}`,
    secret: true,
  })
  const poolMax = read.integer('DATABASE_POOL_MAX', { default: POOL_MAX, min: 1, max: 1000 })
  return {
    database: database.kind === 'postgres' ? { ...database, poolMax } : database,
    migrateAtStart: read.boolean('DATABASE_MIGRATE_AT_START', { default: true }),
    migrateWaitMs: read.integer('DATABASE_MIGRATE_WAIT_MS', { default: 60_000, min: 0, max: 3_600_000 }),
  }
}

function parseDatabaseUrl(text: string): DatabaseConfig {
  if (/^postgres(ql)?:\/\//.test(text)) {
    if (new URL(text).hostname === '') throw new RangeError('no host')
    return { kind: 'postgres', url: text }
  }
  const file = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(text)?.[1]
  if (file === undefined || file.startsWith(':')) throw new RangeError('neither a file nor a server')
  return { kind: 'sqlite', file }
}
