import type { OpenApiDocument } from './document.ts'

/** What the form of a description depends on. */
export interface DescriptionRequest {
  /** As it came: path and query. */
  readonly target: string
  readonly accept?: string | undefined
}

/** A description as an answer. */
export interface RenderedDescription {
  readonly contentType: string
  readonly body: string
}

/** Where a description is served, as in Quarkus. */
export const descriptionPaths: readonly string[] = [
  '/q/openapi',
  '/q/openapi.json',
  '/q/openapi.yaml',
  '/q/openapi.yml',
]

/**
 * Writes a description as Quarkus does: YAML unless the path ends in `.json`, `Accept` names `application/json` or the query has
 * `format=json`. An extension outweighs what the request says besides.
 */
export async function renderDescription(
  document: OpenApiDocument,
  request: DescriptionRequest,
): Promise<RenderedDescription> {
  if (wantsJson(request)) {
    return { contentType: 'application/json;charset=UTF-8', body: JSON.stringify(document, undefined, 2) }
  }
  // Loaded when somebody asks: a service that nobody asks does not pay for it.
  const { stringify } = await import('yaml')
  const body = stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })
  return { contentType: 'application/yaml;charset=UTF-8', body }
}

function wantsJson({ target, accept = '' }: DescriptionRequest): boolean {
  const { pathname, searchParams } = new URL(target, 'http://localhost')
  const extension = /\.(json|ya?ml)$/.exec(pathname)?.[1]
  if (extension !== undefined) return extension === 'json'
  return accept.toLowerCase().includes('application/json') || searchParams.get('format')?.toLowerCase() === 'json'
}
