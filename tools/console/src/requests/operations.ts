import { isJsonObject, type JsonObject, parseJson } from '@taproom/core/limits'
import { MANAGEMENT_PATHS, readBody } from '@taproom/http'
import { HttpProblem } from '@taproom/service'
import type { OperationView } from '../api/requests.ts'
import { untraced } from '../traces/untraced.ts'
import { callGateway } from './gateway-call.ts'
import { createResolver, type Resolve } from './resolve-refs.ts'

const MAX_BYTES = 4 * 1024 * 1024
const MAX_OPERATIONS = 500
const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options']
const TIME_MS = 10_000

/**
 * All operations of the gateway's description.
 * @throws {HttpProblem} 503 when the gateway, or one of its services, does not describe itself
 */
export async function readOperations(gateway: string, signal: AbortSignal): Promise<OperationView[]> {
  const path = `${MANAGEMENT_PATHS.openApi}?format=json`
  const wanted = { method: 'GET', path, headers: { Accept: 'application/json', ...untraced() } }
  const answer = await callGateway(gateway, wanted, AbortSignal.any([signal, AbortSignal.timeout(TIME_MS)]))
  const bytes = await readBody(answer.body, MAX_BYTES)
  const document = answer.status === 200 && bytes !== undefined ? parseJson(bytes.toString()) : undefined
  if (isJsonObject(document)) return operationsOf(document)
  const why =
    bytes === undefined ? `more than ${MAX_BYTES} bytes` : `${answer.status}: ${bytes.toString().slice(0, 500)}`
  throw new HttpProblem(503, { detail: `${gateway}${path} returned no OpenAPI description: ${why}` })
}

export function operationsOf(document: JsonObject): OperationView[] {
  const resolve = createResolver(document)
  const found = Object.entries(object(document['paths'])).flatMap(([path, item]) =>
    METHODS.filter((method) => isJsonObject(object(item)[method])).map((method) =>
      operationOf({ path, method, item: object(item), document, resolve }),
    ),
  )
  return found.slice(0, MAX_OPERATIONS)
}

interface Given {
  readonly path: string
  readonly method: string
  readonly item: JsonObject
  readonly document: JsonObject
  readonly resolve: Resolve
}

function operationOf({ path, method, item, document, resolve }: Given): OperationView {
  const operation = object(item[method])
  const security = operation['security'] ?? document['security']
  const responses = Object.values(object(operation['responses'])).map((each) => object(resolve(each)))
  const body = bodyOf(object(resolve(operation['requestBody'])), resolve)
  return {
    method: method.toUpperCase(),
    path,
    summary: textOf(operation['summary']) ?? textOf(operation['description']) ?? '',
    // An empty requirement among others says that it can be called without.
    isProtected:
      Array.isArray(security) && security.length > 0 && security.every((each) => Object.keys(object(each)).length > 0),
    streams: responses.some((each) => 'text/event-stream' in object(each['content'])),
    parameters: parametersOf([item['parameters'], operation['parameters']], resolve),
    ...(body !== undefined && { body }),
  }
}

/** Parameters of an operation replace those of its path. */
function parametersOf(lists: readonly unknown[], resolve: Resolve): OperationView['parameters'] {
  const found = new Map<string, OperationView['parameters'][number]>()
  for (const given of lists.flatMap((list) => (Array.isArray(list) ? list : []))) {
    const parameter = object(resolve(given))
    const place = (['path', 'query', 'header'] as const).find((known) => known === parameter['in'])
    const name = textOf(parameter['name'])
    if (place === undefined || name === undefined) continue
    const description = textOf(parameter['description'])
    const example = exampleOf(parameter)
    found.set(`${place} ${name}`, {
      name,
      in: place,
      isRequired: parameter['required'] === true || place === 'path',
      ...(description !== undefined && { description }),
      schema: parameter['schema'] ?? {},
      ...(example !== undefined && { example }),
    })
  }
  return [...found.values()]
}

/** JSON, if it takes JSON. */
function bodyOf(requestBody: JsonObject, resolve: Resolve): OperationView['body'] {
  const content = object(requestBody['content'])
  const mediaTypes = Object.keys(content)
  const mediaType = mediaTypes.find((type) => /\bjson\b/.test(type)) ?? mediaTypes[0]
  if (mediaType === undefined) return undefined
  const media = object(resolve(content[mediaType]))
  const example = exampleOf(media)
  return { mediaType, schema: media['schema'] ?? {}, ...(example !== undefined && { example }) }
}

function exampleOf(described: JsonObject): unknown {
  const [first] = Object.values(object(described['examples']))
  const schema = object(described['schema'])
  const ofSchema = schema['example'] ?? (Array.isArray(schema['examples']) ? schema['examples'][0] : undefined)
  return described['example'] ?? object(first)['value'] ?? ofSchema
}

function object(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
