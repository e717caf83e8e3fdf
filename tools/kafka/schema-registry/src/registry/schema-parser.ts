import { asRefusal, InvalidSchemaError, refusals } from '../errors.ts'
import { avroFormat } from '../formats/avro/avro-format.ts'
import { createJsonFormat } from '../formats/json/json-format.ts'
import { protoFormat } from '../formats/protobuf/proto-format.ts'
import type { NamedSchema, ParsedSchema, SchemaFormat } from '../formats/schema-format.ts'
import { REGISTRY_LIMITS } from '../limits.ts'
import type { DataContract } from '../store/data-contract.ts'
import type { SchemaReference, SchemaVersion } from '../store/records.ts'
import type { RegistryState } from '../store/registry-state.ts'
import { contextOf, inContext } from '../store/subject-name.ts'

/** A schema as a request or record has it. */
export interface SchemaSource extends DataContract {
  readonly schemaType: string
  readonly schema: string
  readonly references: readonly SchemaReference[]
}

/** A subject, and the references of one of its schemas. */
interface Referrer {
  readonly subject: string
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

  /**
   * @param subject in whose context the references are
   * @throws {RegistryError} 42201 when it is not a valid schema, or refers to one that is not there
   */
  parse(subject: string, { schemaType, schema, references }: SchemaSource): ParsedSchema {
    const format = this.#formats.get(schemaType)
    if (format === undefined) throw refusals.invalidSchema(`Invalid schema type ${schemaType}`)
    if (schema.trim() === '') throw refusals.invalidSchema('Empty schema')
    try {
      const named = new Map<string, NamedSchema>()
      this.#collect({ subject, references }, named, 1)
      return format.parse(schema, [...named.values()])
    } catch (error) {
      throw asRefusal(error)
    }
  }

  /**
   * The text of a stored schema in the format that a client asks for; as it is stored where the type has no such format.
   * @throws {RegistryError} 42201 when the schema cannot be written in it
   */
  textIn(format: string, { subject, ...source }: SchemaVersion): string {
    const parsed = this.parse(subject, source)
    try {
      return parsed.inFormat?.(format) ?? source.schema
    } catch (error) {
      throw asRefusal(error)
    }
  }

  /** The references of a request with the number of the version in place of -1, which is the latest one. */
  withVersions(subject: string, references: readonly SchemaReference[]): SchemaReference[] {
    return references.map((reference) => ({ ...reference, version: this.#target(subject, reference).version }))
  }

  /** Each after those that it needs itself. */
  #collect({ subject, references }: Referrer, into: Map<string, NamedSchema>, depth: number): void {
    if (depth > REGISTRY_LIMITS.depth) throw new InvalidSchemaError('the references are nested too deep')
    for (const reference of references) {
      const { name } = reference
      if (into.has(name)) continue
      const target = this.#target(subject, reference)
      this.#collect(target, into, depth + 1)
      if (into.size >= REGISTRY_LIMITS.referredSchemas) throw new InvalidSchemaError('the schema needs too many others')
      into.set(name, { name, schema: target.schema })
    }
  }

  #target(referrer: string, { name, subject: given, version }: SchemaReference) {
    const subject = inContext(contextOf(referrer), given)
    const target = version === -1 ? this.#state.versions(subject).at(-1) : this.#state.version(subject, version)
    if (target !== undefined) return target
    throw refusals.invalidSchema(
      `No schema reference found for subject "${subject}" and version ${version} (reference "${name}")`,
    )
  }
}
