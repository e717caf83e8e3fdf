import { isJsonObject } from '@taproom/core/limits'
import { reasonOf } from '@taproom/core/lines'
import avro, { type Type } from 'avsc'
import { InvalidSchemaError } from '../../errors.ts'
import { parseExactly, parseSchemaJson, withSortedMembers } from '../exact-json.ts'
import { difference, type ParsedSchema, type SchemaFormat } from '../schema-format.ts'
import { canonicalAvro } from './avro-canonical.ts'

/** The largest number of avsc's `long`, by which it checks defaults. */
const LARGEST_LONG = Number.MAX_SAFE_INTEGER - 1

/** Avro 1.11: schemas by avsc, compatibility by the rules of schema resolution, names without their namespaces as in Java. */
export const avroFormat: SchemaFormat = {
  parse(schema, references) {
    const registry: Record<string, Type> = Object.create(null)
    for (const each of references) typeOf(each.schema, registry)
    return new AvroSchema(schema, typeOf(schema, registry))
  },
}

class AvroSchema implements ParsedSchema {
  readonly canonical: string
  readonly #type: Type

  constructor(text: string, type: Type) {
    this.canonical = JSON.stringify(canonicalAvro(parseExactly(text)))
    this.#type = type
  }

  get normalized(): string {
    return JSON.stringify(canonicalAvro(withSortedMembers(parseExactly(this.canonical))))
  }

  unreadable(writer: ParsedSchema): readonly string[] {
    if (!(writer instanceof AvroSchema)) throw new TypeError('not an Avro schema')
    try {
      this.#type.createResolver(writer.#type, { ignoreNamespaces: true } as object)
      return []
    } catch (error) {
      return [difference('READER_CANNOT_READ_WRITER', '/', reasonOf(error))]
    }
  }
}

function typeOf(text: string, registry: Record<string, Type>): Type {
  const json = withinLong(parseSchemaJson(text))
  try {
    return avro.Type.forSchema(json as avro.Schema, { registry, omitRecordMethods: true } as object)
  } catch (cause) {
    throw new InvalidSchemaError(`Invalid schema of type AVRO: ${reasonOf(cause)}`, { cause })
  }
}

/** Numbers of 64 bits that JavaScript cannot hold stand only in defaults; avsc would refuse them. */
function withinLong(value: unknown): unknown {
  if (
    typeof value === 'number' &&
    Number.isInteger(value) &&
    Math.abs(value) > LARGEST_LONG &&
    Math.abs(value) <= 2 ** 63
  ) {
    return Math.sign(value) * LARGEST_LONG
  }
  if (Array.isArray(value)) return value.map(withinLong)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withinLong(each)]))
}
