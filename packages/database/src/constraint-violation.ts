/** A constraint that a statement would have broken, by SQLSTATE's names of class 23. */
export type ConstraintViolation = 'unique' | 'foreign-key' | 'check' | 'not-null'

const VIOLATIONS: Readonly<Record<string, ConstraintViolation>> = {
  23505: 'unique',
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_ROWID: 'unique',
  23001: 'foreign-key',
  23503: 'foreign-key',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreign-key',
  23514: 'check',
  SQLITE_CONSTRAINT_CHECK: 'check',
  23502: 'not-null',
  SQLITE_CONSTRAINT_NOTNULL: 'not-null',
}

/**
 * Tells a violated constraint from other errors of a query, the same on PostgreSQL and SQLite; undefined for all others.
 *
 * @example
 * try {
 *   await notes.query((knex) => knex('notes').insert({ id }))
 * } catch (error) {
 *   if (constraintViolation(error) === 'unique') throw new HttpProblem(409, { detail: 'there is such a note', cause: error })
 *   throw error
 * }
 */
export function constraintViolation(error: unknown): ConstraintViolation | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const code = String(error.code)
  // SQLite's word for ON DELETE RESTRICT, and for RAISE in a trigger.
  if (code === 'SQLITE_CONSTRAINT_TRIGGER' && /FOREIGN KEY/.test(error.message)) return 'foreign-key'
  return Object.hasOwn(VIOLATIONS, code) ? VIOLATIONS[code] : undefined
}
