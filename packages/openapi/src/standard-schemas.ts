import type { StandardJSONSchemaV1 } from '@standard-schema/spec'
import type { ApiParameter, JsonSchema } from './document.ts'

/** The dialect of OpenAPI 3.1. */
const TARGET = { target: 'draft-2020-12' } as const

/** Describes what a request may carry by a schema of zod, or of any other library that implements Standard JSON Schema. */
export function inputSchema(schema: StandardJSONSchemaV1): JsonSchema {
  return withoutDialect(schema['~standard'].jsonSchema.input(TARGET))
}

/** Describes what an answer carries by such a schema. */
export function outputSchema(schema: StandardJSONSchemaV1): JsonSchema {
  return withoutDialect(schema['~standard'].jsonSchema.output(TARGET))
}

/** Describes the parameters of a query or a path by the schema of an object that has a member for each. */
export function parametersOf(place: 'query' | 'path', schema: StandardJSONSchemaV1): readonly ApiParameter[] {
  const { properties = {}, required = [] } = inputSchema(schema) as {
    readonly properties?: Readonly<Record<string, JsonSchema>>
    readonly required?: readonly string[]
  }
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    ...(typeof description === 'string' && { description }),
    ...((place === 'path' || required.includes(name)) && { required: true }),
    schema: rest,
  }))
}

/** A document says once, for all of its schemas, which dialect they are. */
function withoutDialect({ $schema: _dialect, ...schema }: JsonSchema): JsonSchema {
  return schema
}
