import { isJsonObject, type JsonObject } from '@taproom/core/limits'
import { isOnlyReference, type JsonDocuments, type Place } from './json-references.ts'

type Criterion = 'allOf' | 'anyOf' | 'oneOf'

/**
 * A schema as one thing. One that says several (`type` with `enum`, `properties` with `oneOf`) is an `allOf` of these, as the library sees it by
 * whose objects Confluent's rules are worded.
 */
export type JsonModel =
  | { readonly kind: 'any' | 'never' | 'boolean' | 'null' | 'conditional' }
  | { readonly kind: 'string' | 'number'; readonly json: JsonObject; readonly isInteger: boolean }
  | Container
  | { readonly kind: 'enum'; readonly values: readonly unknown[] }
  | { readonly kind: 'const'; readonly value: unknown }
  | { readonly kind: 'not'; readonly not: Part }
  | { readonly kind: 'combined'; readonly criterion: Criterion; readonly parts: readonly Part[] }

/** A schema of objects or arrays. */
export interface Container {
  readonly kind: 'object' | 'array'
  readonly json: JsonObject
  /** Reads a schema that stands in it. */
  part(schema: unknown): Part
  /** Since 2020-12 the first items are `prefixItems`, and `items` are those after them. */
  readonly hasPrefixItems: boolean
}

/** A schema inside another one. */
export interface Part {
  /** The same object for the same part. */
  readonly schema: unknown
  model(): JsonModel
}

const KEYWORDS = {
  array: ['items', 'additionalItems', 'minItems', 'maxItems', 'uniqueItems', 'contains', 'prefixItems'],
  object: [
    'properties',
    'required',
    'minProperties',
    'maxProperties',
    'dependencies',
    'patternProperties',
    'additionalProperties',
    'propertyNames',
    'dependentRequired',
    'dependentSchemas',
    'unevaluatedProperties',
  ],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  string: ['minLength', 'maxLength', 'pattern', 'format'],
} as const

/** A part of the documents as a {@link Part}. */
export function partOf(place: Place, documents: JsonDocuments): Part {
  let model: JsonModel | undefined
  return {
    schema: place.schema,
    model: () => {
      model ??= modelOf(place, documents)
      return model
    },
  }
}

function modelOf(place: Place, documents: JsonDocuments): JsonModel {
  const { schema } = place
  if (schema === false) return { kind: 'never' }
  if (!isJsonObject(schema)) return { kind: 'any' }
  const target = typeof schema['$ref'] === 'string' ? documents.follow(schema['$ref'], place) : undefined
  if (isOnlyReference(schema, place.dialect)) {
    return target === undefined ? { kind: 'any' } : partOf(target, documents).model()
  }
  const inside = {
    part: (part: unknown) => partOf(documents.within(place, part), documents),
    hasPrefixItems: place.dialect === '2020-12',
  }
  const models = [...modelsOf(schema, inside)]
  if (target !== undefined) models.push(partOf(target, documents).model())
  return all(models)
}

function all(models: readonly JsonModel[]): JsonModel {
  const [first, ...others] = models
  if (first === undefined) return { kind: 'any' }
  return others.length === 0 ? first : { kind: 'combined', criterion: 'allOf', parts: models.map(ready) }
}

/** All that one schema says. */
function* modelsOf(schema: JsonObject, inside: Inside): Generator<JsonModel> {
  const { part } = inside
  if (Array.isArray(schema['enum'])) yield { kind: 'enum', values: schema['enum'] }
  for (const criterion of ['allOf', 'anyOf', 'oneOf'] as const) {
    const schemas = schema[criterion]
    if (Array.isArray(schemas)) yield { kind: 'combined', criterion, parts: schemas.map((each: unknown) => part(each)) }
  }
  if (schema['not'] !== undefined) yield { kind: 'not', not: part(schema['not']) }
  if ('const' in schema) yield { kind: 'const', value: schema['const'] }
  if ('if' in schema) yield { kind: 'conditional' }
  const { type } = schema
  if (typeof type === 'string') yield typed(type, schema, inside)
  else if (Array.isArray(type)) {
    yield {
      kind: 'combined',
      criterion: 'anyOf',
      parts: type.map((each: unknown) => ready(typed(String(each), schema, inside))),
    }
  } else {
    for (const kind of ['array', 'object', 'number', 'string'] as const) {
      if (KEYWORDS[kind].some((keyword) => keyword in schema)) yield typed(kind, schema, inside)
    }
  }
}

type Inside = Pick<Container, 'part' | 'hasPrefixItems'>

function typed(type: string, json: JsonObject, inside: Inside): JsonModel {
  switch (type) {
    case 'string':
    case 'number':
      return { kind: type, json, isInteger: false }
    case 'integer':
      return { kind: 'number', json, isInteger: true }
    case 'object':
    case 'array':
      return { kind: type, json, ...inside }
    case 'boolean':
    case 'null':
      return { kind: type }
    default:
      return { kind: 'any' }
  }
}

/** A part that is a model already. */
function ready(model: JsonModel): Part {
  return { schema: model, model: () => model }
}
