import { parseAllDocuments } from 'yaml'

/** The values of the documents of a text. @throws {Error} when one is not YAML */
export function yamlDocuments(text: string): readonly unknown[] {
  return parseAllDocuments(text).map((document) => {
    const [error] = document.errors
    if (error !== undefined) throw error
    return document.toJS() as unknown
  })
}
