import type { ParsedSchema, SchemaFormat } from '../schema-format.ts'
import { sourceOfDescriptor } from './descriptor-source.ts'
import { serializedFile } from './file-descriptor.ts'
import { ProtoDiff } from './proto-diff.ts'
import { type ProtoFile, readProtoFile } from './proto-file.ts'

/** Protobuf, as source text or as a descriptor in base64. */
export const protoFormat: SchemaFormat = {
  parse: (schema, references) => new ProtoSchema(readProtoFile(sourceOfDescriptor(schema) ?? schema, references)),
}

class ProtoSchema implements ParsedSchema {
  readonly canonical: string
  /** The order of declarations stays as it is: clients count messages by it. */
  readonly normalized: string
  readonly #file: ProtoFile

  constructor(file: ProtoFile) {
    this.#file = file
    this.canonical = file.canonical
    this.normalized = file.canonical
  }

  inFormat(format: string): string | undefined {
    return format === 'serialized' ? serializedFile(this.#file) : undefined
  }

  unreadable(writer: ParsedSchema): readonly string[] {
    if (!(writer instanceof ProtoSchema)) throw new TypeError('not a Protobuf schema')
    return new ProtoDiff(writer.#file, this.#file).compare()
  }
}
