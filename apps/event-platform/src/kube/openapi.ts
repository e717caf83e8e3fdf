import { ALL_KINDS, apiVersionOf, type Kind } from '../resources/kinds.ts'
import { kindsOf } from './paths.ts'

/** `/openapi/v3`: links to each group and version. */
export function openApiIndex(): object {
  const groupVersions = ALL_KINDS.flatMap((kind) => kind.versions.map((version) => apiVersionOf(kind, version)))
  const paths = groupVersions.map(apiPath).map((path) => [path, { serverRelativeURL: `/openapi/v3/${path}` }])
  return { paths: Object.fromEntries(paths) }
}

/**
 * `/openapi/v3/apis/{group}/{version}`: only says that the server checks fields itself (`fieldValidation`), which kubectl wants to know
 * before it sends a manifest.
 */
export function openApiOf(groupVersion: string): object | undefined {
  const kinds = kindsOf(groupVersion)
  if (kinds.length === 0) return undefined
  const version = groupVersion.split('/').at(-1) ?? ''
  const paths = kinds.map((kind) => [
    `/${apiPath(groupVersion)}/${kind.isNamespaced ? 'namespaces/{namespace}/' : ''}${kind.plural}/{name}`,
    { patch: operation(kind, version) },
  ])
  return { openapi: '3.0.0', info: { title: 'Taproom', version: 'v1' }, paths: Object.fromEntries(paths) }
}

function operation(kind: Kind, version: string): object {
  return {
    operationId: `patch${kind.kind}`,
    parameters: [{ name: 'fieldValidation', in: 'query', schema: { type: 'string' } }],
    responses: { 200: { description: 'OK' } },
    'x-kubernetes-action': 'patch',
    'x-kubernetes-group-version-kind': { group: kind.group, version, kind: kind.kind },
  }
}

function apiPath(groupVersion: string): string {
  return groupVersion.includes('/') ? `apis/${groupVersion}` : `api/${groupVersion}`
}
