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
export { POSTGRES_LIMITS } from './knex-config.ts'
export { type Migrations, migrate } from './migrate.ts'
export { type WhenReachedOptions, whenReached } from './when-reached.ts'
