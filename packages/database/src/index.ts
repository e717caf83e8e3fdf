/** The types of knex, for functions that take what a query gets, or `Knex.Transaction`. */
export type { Knex } from 'knex'
export { type Connection, type ConnectionOptions, createConnection } from './connection.ts'
export { type ConstraintViolation, constraintViolation } from './constraint-violation.ts'
export { type Database, type DatabaseOptions, openDatabase } from './database.ts'
export {
  type DatabaseConfig,
  type DatabaseProperties,
  type PropertyReader,
  readDatabase,
} from './database-properties.ts'
export { DatabaseUnavailableError } from './errors.ts'
export { type MigrateOptions, migrate } from './migrate.ts'
export type { Migration, Migrations } from './migrations.ts'
export { openPool } from './pool.ts'
export { type WhenReachedOptions, whenReached } from './when-reached.ts'
