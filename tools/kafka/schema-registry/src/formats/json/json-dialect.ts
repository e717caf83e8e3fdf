import { isJsonObject, type JsonObject } from '@taproom/core/limits'
import { Ajv, type AnySchema } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { InvalidSchemaError } from '../../errors.ts'

/** The drafts that differ for us; draft-07 stands for draft-06 too, and for schemas that name none. */
export type Dialect = 'draft-04' | 'draft-07' | '2019-09' | '2020-12'

const DIALECT_URI = /^https?:\/\/json-schema\.org\/(?:draft-(0[3-9])|draft\/(2019-09|2020-12))\/schema#?$/
/** No draft of JSON Schema itself is ever fetched. */
export const META_SCHEMA_URI = /^https?:\/\/json-schema\.org\//

/** The draft that a schema names by `$schema`; draft-07 if it names none or one that is not known. */
export function dialectOf(schema: unknown): Dialect {
  const uri = isJsonObject(schema) ? schema['$schema'] : undefined
  const [, old, modern] = (typeof uri === 'string' && DIALECT_URI.exec(uri)) || []
  if (modern === '2019-09' || modern === '2020-12') return modern
  return old === '04' || old === '03' ? 'draft-04' : 'draft-07'
}

/**
 * Checks schemas against the schema of their draft. Nothing of a schema is compiled, so that none of its patterns runs; whether they are
 * regular expressions is not looked at, as languages differ in that.
 */
export class DialectChecks {
  readonly #checkers = new Map<Dialect, Ajv>()

  /** @throws {InvalidSchemaError} with the first violation */
  check(schema: unknown, dialect: Dialect): void {
    if (!isJsonObject(schema) && typeof schema !== 'boolean') {
      throw new InvalidSchemaError('Invalid JSON schema: expected an object or boolean at the root')
    }
    const checker = this.#checker(dialect)
    const { $schema: _, ...members } = isJsonObject(schema) ? asDraft07(schema, dialect) : { $schema: undefined }
    const subject = typeof schema === 'boolean' ? schema : members
    if (checker.validateSchema(subject as AnySchema) === true) return
    const first = checker.errors?.[0]
    throw new InvalidSchemaError(
      `Invalid JSON schema: ${first?.instancePath || '#'} ${first?.message ?? 'is not valid'}`,
    )
  }

  #checker(dialect: Dialect): Ajv {
    const known = this.#checkers.get(dialect)
    if (known !== undefined) return known
    const options = { strict: false, validateFormats: false, logger: false } as const
    const checker =
      dialect === '2019-09' ? new Ajv2019(options) : dialect === '2020-12' ? new Ajv2020(options) : new Ajv(options)
    this.#checkers.set(dialect, checker as Ajv)
    return checker as Ajv
  }
}

/** A schema of draft-04 in the words of draft-07: limits that are exclusive were booleans, and `$id` was `id`. */
export function asDraft07(schema: JsonObject, dialect: Dialect): JsonObject {
  return dialect === 'draft-04' ? (renewed(schema) as JsonObject) : schema
}

function renewed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renewed)
  if (!isJsonObject(value)) return value
  const { id, exclusiveMaximum, exclusiveMinimum, ...members } = value
  const { maximum, minimum } = value
  const isTopMoved = exclusiveMaximum === true && maximum !== undefined
  const isBottomMoved = exclusiveMinimum === true && minimum !== undefined
  const kept = Object.entries(members).filter(
    ([name]) => !(name === 'maximum' && isTopMoved) && !(name === 'minimum' && isBottomMoved),
  )
  return {
    ...(id !== undefined && { [typeof id === 'string' ? '$id' : 'id']: renewed(id) }),
    ...limit('exclusiveMaximum', exclusiveMaximum, isTopMoved ? maximum : undefined),
    ...limit('exclusiveMinimum', exclusiveMinimum, isBottomMoved ? minimum : undefined),
    ...Object.fromEntries(kept.map(([name, each]) => [name, renewed(each)])),
  }
}

/** Other values than booleans stay: they may be properties of these names. */
function limit(name: string, value: unknown, moved: unknown): object {
  if (moved !== undefined) return { [name]: moved }
  return value === undefined || typeof value === 'boolean' ? {} : { [name]: renewed(value) }
}
