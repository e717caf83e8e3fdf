import { isDeepStrictEqual } from 'node:util'
import { API_VERSION, type ApiResponse, type OpenApiDocument, type PathItem } from './document.ts'

export interface MergeOptions {
  readonly title: string
  readonly description: string
  /** The base URL of the merged interface. */
  readonly url: string
  /** Whether a path can be reached at that URL; others are left out. Default: all are kept. */
  readonly serves?: (path: string) => boolean
  /** Further responses of every operation, by status; an operation's own response of that status wins. */
  readonly responses?: Readonly<Record<string, ApiResponse>>
}

/**
 * One document for services behind one base URL. Paths, schemas and security schemes of the same name must be equal.
 *
 * @throws {Error} when two services describe one differently, naming it
 */
export function mergeDocuments(documents: readonly OpenApiDocument[], options: MergeOptions): OpenApiDocument {
  const { title, description, url, serves = () => true, responses = {} } = options
  const paths = union('path', documents, (document) => document.paths)
  const kept = Object.entries(paths).filter(([path]) => serves(path))
  const securitySchemes = union('security scheme', documents, ({ components }) => components.securitySchemes ?? {})
  return {
    openapi: '3.1.1',
    info: { title, version: API_VERSION, description },
    servers: [{ url }],
    security: [],
    paths: Object.fromEntries(kept.map(([path, item]) => [path, withResponses(item, responses)])),
    components: {
      schemas: union('schema', documents, ({ components }) => components.schemas),
      ...(Object.keys(securitySchemes).length > 0 && { securitySchemes }),
    },
  }
}

function union<T>(
  what: string,
  documents: readonly OpenApiDocument[],
  part: (document: OpenApiDocument) => Readonly<Record<string, T>>,
): Record<string, T> {
  const all: Record<string, T> = {}
  for (const [name, value] of documents.flatMap((document) => Object.entries(part(document)))) {
    if (Object.hasOwn(all, name) && !isDeepStrictEqual(all[name], value)) {
      throw new Error(`the ${what} ${name} is described in two ways`)
    }
    all[name] = value
  }
  return all
}

function withResponses(item: PathItem, responses: Readonly<Record<string, ApiResponse>>): PathItem {
  return Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [
      method,
      { ...operation, responses: { ...responses, ...operation.responses } },
    ]),
  )
}
