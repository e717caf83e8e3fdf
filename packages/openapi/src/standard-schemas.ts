import type { StandardJSONSchemaV1 } from '@standard-schema/spec'
import type { ApiParameter, JsonSchema } from './document.ts'

/** The dialect of OpenAPI 3.1. */
const TARGET = { target: 'draft-2020-12' } as const

/**
 * Describes what a request may carry by a schema of zod, or of any other library that implements Standard JSON Schema. One that refers to
 * itself belongs into `schemas` of `describeApi`.
 *
 * @throws {TypeError} when JSON Schema cannot say what the schema takes, such as a `Date`
 */
export function inputSchema(schema: StandardJSONSchemaV1): JsonSchema {
  return described(schema, 'input')
}

/**
 * Describes what an answer carries by such a schema.
 *
 * @throws {TypeError} when JSON Schema cannot say what the schema gives, such as a `Date` or the result of a transform
 */
export function outputSchema(schema: StandardJSONSchemaV1): JsonSchema {
  return described(schema, 'output')
}

/**
 * Describes the parameters of a query or a path by the schema of an object that has a member for each.
 *
 * @throws {TypeError} as `inputSchema` does, and for a schema without such members: a union, a record
 */
export function parametersOf(place: 'query' | 'path', schema: StandardJSONSchemaV1): readonly ApiParameter[] {
  const { properties, required = [] } = inputSchema(schema) as {
    readonly properties?: Readonly<Record<string, JsonSchema>>
    readonly required?: readonly string[]
  }
  if (properties === undefined) {
    throw new TypeError(`parameters of the ${place}: expected the schema of an object with a member for each`)
  }
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    ...(typeof description === 'string' && { description }),
    ...((place === 'path' || required.includes(name)) && { required: true }),
    schema: rest,
  }))
}

function described(schema: StandardJSONSchemaV1, side: 'input' | 'output'): JsonSchema {
  const { vendor, jsonSchema } = schema['~standard']
  try {
    // A document says once, for all of its schemas, which dialect they are.
    const { $schema: _dialect, ...rest } = jsonSchema[side](TARGET)
    return rest
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new TypeError(
      `the ${side} of a schema of ${vendor} cannot be described: ${reason}. Use a schema of what is sent, such as z.iso.datetime()`,
      { cause },
    )
  }
}

/** References within each schema, `#/$defs/Line`, lead to the place that the schema has among the components of a document. */
export function withOwnReferences(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      JSON.parse(JSON.stringify(schema), (key, value) =>
        key === '$ref' && typeof value === 'string' && /^#(?!\/components\/)/.test(value)
          ? `#/components/schemas/${name}${value.slice(1)}`
          : value,
      ),
    ]),
  )
}
