import { MANAGEMENT_PATHS } from '@taproom/http'
import type { OpenApiDocument } from './document.ts'

interface DescriptionRequest {
  /** Path and query of the request. */
  readonly target: string
  readonly accept?: string | undefined
}

/** Where a description is served, as in Quarkus. */
export const descriptionPaths: readonly string[] = ['', '.json', '.yaml', '.yml'].map(
  (extension) => MANAGEMENT_PATHS.openApi + extension,
)

/**
 * Renders a description as Quarkus does: as YAML, unless the path ends in `.json`, `Accept` names `application/json` or the query has
 * `format=json`. An extension takes precedence.
 */
export async function renderDescription(document: OpenApiDocument, request: DescriptionRequest) {
  if (wantsJson(request)) {
    return { contentType: 'application/json;charset=UTF-8', body: JSON.stringify(document, undefined, 2) }
  }
  const body = yamlTexts.get(document) ?? toYaml(document)
  yamlTexts.set(document, body)
  return { contentType: 'application/yaml;charset=UTF-8', body: await body }
}

/** Writing YAML takes milliseconds, so it is done once per document. */
const yamlTexts = new WeakMap<OpenApiDocument, Promise<string>>()

/** Loads the library at the first request, to keep it out of the start of a service. */
async function toYaml(document: OpenApiDocument): Promise<string> {
  const { stringify } = await import('yaml')
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })
}

function wantsJson({ target, accept = '' }: DescriptionRequest): boolean {
  // Not parsed as a URL: a target may have an invalid host or port (`http://a:99999/q/openapi`).
  const [path = '', query = ''] = target.split('?', 2)
  const extension = /\.(json|ya?ml)$/.exec(path)?.[1]
  if (extension !== undefined) return extension === 'json'
  const format = new URLSearchParams(query).get('format')
  return accept.toLowerCase().includes('application/json') || format?.toLowerCase() === 'json'
}
