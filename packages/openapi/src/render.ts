import { MANAGEMENT_PATHS } from '@taproom/http'
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
export const descriptionPaths: readonly string[] = ['', '.json', '.yaml', '.yml'].map(
  (extension) => MANAGEMENT_PATHS.openApi + extension,
)

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
  const body = yamlTexts.get(document) ?? toYaml(document)
  yamlTexts.set(document, body)
  return { contentType: 'application/yaml;charset=UTF-8', body: await body }
}

/** It takes milliseconds to write YAML: that is done once for each document, however many ask. */
const yamlTexts = new WeakMap<OpenApiDocument, Promise<string>>()

/** The library is loaded when somebody asks: a service that nobody asks does not pay for it. */
async function toYaml(document: OpenApiDocument): Promise<string> {
  const { stringify } = await import('yaml')
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })
}

function wantsJson({ target, accept = '' }: DescriptionRequest): boolean {
  // Not read as a URL: a target may name a host or port that is none (`http://a:99999/q/openapi`).
  const [path = '', query = ''] = target.split('?', 2)
  const extension = /\.(json|ya?ml)$/.exec(path)?.[1]
  if (extension !== undefined) return extension === 'json'
  const format = new URLSearchParams(query).get('format')
  return accept.toLowerCase().includes('application/json') || format?.toLowerCase() === 'json'
}
