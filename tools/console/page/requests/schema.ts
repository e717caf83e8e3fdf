import type { OperationView } from '../../src/api/requests.ts'

/** As much of JSON Schema as forms need. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly example?: unknown
  readonly examples?: readonly unknown[]
  readonly description?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
  readonly items?: unknown
  readonly oneOf?: readonly unknown[]
  readonly anyOf?: readonly unknown[]
  readonly allOf?: readonly unknown[]
}

const MOST_DEPTH = 6

export function schemaOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {}
}

export function typeOf(schema: Schema): string | undefined {
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  return types.find((type) => type !== 'null') ?? (schema.properties === undefined ? undefined : 'object')
}

/** An initial value: the example or default of the description, else an empty value of the type. */
export function exampleOf(given: unknown, depth = 0): unknown {
  const schema = schemaOf(given)
  const said = schema.example ?? schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0]
  if (said !== undefined || depth > MOST_DEPTH) return said
  const [choice] = schema.oneOf ?? schema.anyOf ?? schema.allOf ?? []
  if (choice !== undefined) return exampleOf(choice, depth + 1)
  switch (typeOf(schema)) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, each]) => [name, exampleOf(each, depth + 1)]),
      )
    case 'array':
      return schema.items === undefined ? [] : [exampleOf(schema.items, depth + 1)]
    case 'integer':
    case 'number':
      return schema.minimum ?? 0
    case 'boolean':
      return false
    default:
      return ''
  }
}

/** The fields of a plain object of texts, numbers and booleans; undefined for any other schema. */
export function fieldsOf(given: unknown): readonly (readonly [name: string, schema: Schema])[] | undefined {
  const schema = schemaOf(given)
  const fields = Object.entries(schema.properties ?? {}).map(([name, each]) => [name, schemaOf(each)] as const)
  const isPlain = fields.every(([, each]) => ['string', 'integer', 'number', 'boolean'].includes(typeOf(each) ?? ''))
  return typeOf(schema) === 'object' && fields.length > 0 && isPlain ? fields : undefined
}

export function hintOf(schema: Schema): string {
  const { format, minimum, maximum, pattern, description } = schema
  const range = [minimum === undefined ? '' : `from ${minimum}`, maximum === undefined ? '' : `to ${maximum}`]
  const rules = [typeOf(schema) === 'string' ? format : typeOf(schema), ...range, pattern && `pattern ${pattern}`]
  return [description, rules.filter(Boolean).join(' ')].filter(Boolean).join('; ')
}

export function parsedValue(text: string, schema: Schema): unknown {
  const type = typeOf(schema)
  if (type === 'integer' || type === 'number') return text.trim() === '' ? undefined : Number(text)
  if (type === 'boolean') return text === 'true'
  return text
}

/** The JSON object in a text; undefined for any other text. */
export function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

export function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function firstTexts({ parameters }: OperationView): Record<string, string> {
  return Object.fromEntries(
    parameters.map(({ name, in: place, example, schema, isRequired }) => [
      `${place} ${name}`,
      textOf(example ?? (isRequired ? exampleOf(schema) : schemaOf(schema).default)),
    ]),
  )
}
