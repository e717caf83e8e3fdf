/** A schema that another one needs, by the name under which that one speaks of it. */
export interface NamedSchema {
  readonly name: string
  readonly schema: string
}

/** A schema that was understood. */
export interface ParsedSchema {
  /** The text that is stored: two schemas with the same are one. */
  readonly canonical: string
  /** The canonical text of the canonical order, for requests with `normalize`. */
  readonly normalized: string
  /**
   * The text in another format that a client asks for by `format`; absent or undefined: there is no such format, and clients get the stored text.
   * @throws {InvalidSchemaError} when the schema cannot be written in it
   */
  inFormat?(format: string): string | undefined
  /** Why this schema cannot read all that `writer`, of the same format, may have written; empty if it can. */
  unreadable(writer: ParsedSchema): readonly string[]
}

/** Avro, JSON Schema or Protobuf. */
export interface SchemaFormat {
  /**
   * Reads a schema. `references`: all that it needs, each after those that it needs itself.
   * @throws {InvalidSchemaError} when it is none
   */
  parse(schema: string, references: readonly NamedSchema[]): ParsedSchema
}

/** The reasons for an incompatibility in the form of Confluent's messages. */
export function difference(type: string, where: string, detail?: string): string {
  const description = detail === undefined ? '' : `, description:'${detail}'`
  return `{errorType:'${type}', path:'${where}'${description}}`
}
