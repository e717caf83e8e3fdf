import { parseExactly, parseSchemaJson, withSortedMembers } from '../exact-json.ts'
import type { ParsedSchema, SchemaFormat } from '../schema-format.ts'
import { DialectChecks, dialectOf } from './json-dialect.ts'
import { JsonDiff } from './json-diff.ts'
import { partOf } from './json-model.ts'
import { JsonDocuments } from './json-references.ts'

/** JSON Schema: drafts 04, 06, 07, 2019-09 and 2020-12. */
export function createJsonFormat(): SchemaFormat {
  const checks = new DialectChecks()
  return {
    parse(schema, references) {
      const json = parseSchemaJson(schema)
      checks.check(json, dialectOf(json))
      const documents = new JsonDocuments(json, references)
      documents.checkReferences()
      return new JsonSchema(schema, documents)
    },
  }
}

class JsonSchema implements ParsedSchema {
  readonly canonical: string
  readonly #documents: JsonDocuments

  constructor(text: string, documents: JsonDocuments) {
    this.canonical = JSON.stringify(parseExactly(text))
    this.#documents = documents
  }

  get normalized(): string {
    return JSON.stringify(withSortedMembers(parseExactly(this.canonical)))
  }

  unreadable(writer: ParsedSchema): readonly string[] {
    if (!(writer instanceof JsonSchema)) throw new TypeError('not a JSON Schema')
    const before = partOf(writer.#documents.main, writer.#documents)
    const after = partOf(this.#documents.main, this.#documents)
    return new JsonDiff().compare(before, after, '#')
  }
}
