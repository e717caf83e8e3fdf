import { isJsonObject, type JsonObject } from '@taproom/core/limits'
import { InvalidSchemaError } from '../../errors.ts'

const PRIMITIVES = new Set(['null', 'boolean', 'int', 'long', 'float', 'double', 'bytes', 'string'])
/** What belongs to the schema itself; all else are properties that are kept as they are. */
const RESERVED = {
  named: ['type', 'name', 'namespace', 'doc', 'aliases'],
  field: ['name', 'type', 'doc', 'default', 'order', 'aliases'],
}

/**
 * A schema as Avro's Java library writes it (`Schema.toString`): white space, the order of members and what can be left out make no other
 * schema; documentation, defaults and properties do.
 * @throws {InvalidSchemaError} when a type has none of the forms of the specification
 */
export function canonicalAvro(schema: unknown, namespace = ''): unknown {
  if (typeof schema === 'string') return reference(schema, namespace)
  if (Array.isArray(schema)) return schema.map((branch) => canonicalAvro(branch, namespace))
  if (!isJsonObject(schema) || typeof schema['type'] !== 'string') {
    throw new InvalidSchemaError(`no type in ${shown(schema)}`)
  }
  const { type } = schema
  switch (type) {
    case 'record':
    case 'error':
      return recordType(schema, namespace)
    case 'enum':
      return {
        ...nameOf(schema, namespace).head,
        symbols: schema['symbols'],
        ...given(schema, 'default'),
        ...properties(schema, [...RESERVED.named, 'symbols', 'default']),
        ...given(schema, 'aliases'),
      }
    case 'fixed':
      return {
        ...nameOf(schema, namespace).head,
        size: schema['size'],
        ...properties(schema, [...RESERVED.named, 'size']),
        ...given(schema, 'aliases'),
      }
    case 'array':
      return { type, items: canonicalAvro(schema['items'], namespace), ...properties(schema, ['type', 'items']) }
    case 'map':
      return { type, values: canonicalAvro(schema['values'], namespace), ...properties(schema, ['type', 'values']) }
    default: {
      const own = properties(schema, ['type'])
      const name = reference(type, namespace)
      return PRIMITIVES.has(type) && Object.keys(own).length > 0 ? { type, ...own } : name
    }
  }
}

function recordType(schema: JsonObject, namespace: string): object {
  const { head, space } = nameOf(schema, namespace)
  const { fields } = schema
  if (!Array.isArray(fields)) throw new InvalidSchemaError(`record ${String(schema['name'])} has no fields`)
  return {
    ...head,
    fields: fields.map((field: unknown) => recordField(field, space)),
    ...properties(schema, [...RESERVED.named, 'fields']),
    ...given(schema, 'aliases'),
  }
}

function recordField(field: unknown, namespace: string): object {
  if (!isJsonObject(field)) throw new InvalidSchemaError(`a field must be an object, it is ${shown(field)}`)
  const { order } = field
  return {
    name: field['name'],
    type: canonicalAvro(field['type'], namespace),
    ...doc(field),
    ...given(field, 'default'),
    ...(typeof order === 'string' && order.toLowerCase() !== 'ascending' && { order: order.toLowerCase() }),
    ...given(field, 'aliases'),
    ...properties(field, RESERVED.field),
  }
}

/** Type, name, namespace where it is another one, and doc; and the namespace of what is inside. */
function nameOf(schema: JsonObject, namespace: string): { readonly head: object; readonly space: string } {
  const { type, name } = schema
  if (typeof name !== 'string') throw new InvalidSchemaError(`no name in ${shown(schema)}`)
  const dot = name.lastIndexOf('.')
  const own = typeof schema['namespace'] === 'string' ? schema['namespace'] : namespace
  const space = dot < 0 ? own : name.slice(0, dot)
  return {
    head: { type, name: name.slice(dot + 1), ...(space !== namespace && { namespace: space }), ...doc(schema) },
    space,
  }
}

/** A type by its name, short where the namespace is the same. */
function reference(name: string, namespace: string): string {
  const prefix = `${namespace}.`
  const short = name.slice(prefix.length)
  return namespace !== '' && name.startsWith(prefix) && !short.includes('.') && !PRIMITIVES.has(short) ? short : name
}

function doc(schema: JsonObject): object {
  return typeof schema['doc'] === 'string' ? { doc: schema['doc'] } : {}
}

function given(schema: JsonObject, member: string): object {
  const value = schema[member]
  return member in schema && !(Array.isArray(value) && value.length === 0 && member === 'aliases')
    ? { [member]: value }
    : {}
}

function properties(schema: JsonObject, reserved: readonly string[]): object {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !reserved.includes(name)))
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 200)
}
