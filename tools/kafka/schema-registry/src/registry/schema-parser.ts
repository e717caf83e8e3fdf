import { asRefusal, InvalidSchemaError, refusals } from '../errors.ts'
import { avroFormat } from '../formats/avro/avro-format.ts'
import { createJsonFormat } from '../formats/json/json-format.ts'
import { protoFormat } from '../formats/protobuf/proto-format.ts'
import type { NamedSchema, ParsedSchema, SchemaFormat } from '../formats/schema-format.ts'
import { REGISTRY_LIMITS } from '../limits.ts'
import type { SchemaReference } from '../store/records.ts'
import type { RegistryState } from '../store/registry-state.ts'

/** A schema as a request or record has it. */
export interface SchemaSource {
  readonly schemaType: string
  readonly schema: string
  readonly references: readonly SchemaReference[]
}

/** Reads schemas together with those that they refer to. */
export class SchemaParser {
  readonly #state: RegistryState
  readonly #formats: ReadonlyMap<string, SchemaFormat> = new Map([
    ['JSON', createJsonFormat()],
    ['PROTOBUF', protoFormat],
    ['AVRO', avroFormat],
  ])

  constructor(state: RegistryState) {
    this.#state = state
  }

  get types(): readonly string[] {
    return [...this.#formats.keys()]
  }

  /** @throws {RegistryError} 42201 when it is no valid schema, or refers to one that is not there */
  parse({ schemaType, schema, references }: SchemaSource): ParsedSchema {
    const format = this.#formats.get(schemaType)
    if (format === undefined) throw refusals.invalidSchema(`Invalid schema type ${schemaType}`)
    if (schema.trim() === '') throw refusals.invalidSchema('Empty schema')
    try {
      const named = new Map<string, NamedSchema>()
      this.#collect(references, named, 1)
      return format.parse(schema, [...named.values()])
    } catch (error) {
      throw asRefusal(error)
    }
  }

  /** The references of a request with the number of the version in place of -1, which is the latest one. */
  withVersions(references: readonly SchemaReference[]): SchemaReference[] {
    return references.map((reference) => ({ ...reference, version: this.#target(reference).version }))
  }

  /** Each after those that it needs itself. */
  #collect(references: readonly SchemaReference[], into: Map<string, NamedSchema>, depth: number): void {
    if (depth > REGISTRY_LIMITS.depth) throw new InvalidSchemaError('the references are nested too deep')
    for (const reference of references) {
      const { name } = reference
      if (into.has(name)) continue
      const { schema, references: own } = this.#target(reference)
      this.#collect(own, into, depth + 1)
      if (into.size >= REGISTRY_LIMITS.referredSchemas) throw new InvalidSchemaError('the schema needs too many others')
      into.set(name, { name, schema })
    }
  }

  #target({ name, subject, version }: SchemaReference) {
    const target = version === -1 ? this.#state.versions(subject).at(-1) : this.#state.version(subject, version)
    if (target !== undefined) return target
    throw refusals.invalidSchema(
      `No schema reference found for subject "${subject}" and version ${version} (reference "${name}")`,
    )
  }
}
