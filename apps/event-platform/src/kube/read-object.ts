import { JsonError, LIMITS, parseJson } from '@taproom/core/limits'
import type { Request } from 'express'
import { readProtobufObject } from './protobuf.ts'
import { createBodyReader } from './read-body.ts'
import { createYamlReader, OBJECT_BODY_BYTES } from './read-yaml.ts'
import { badRequest, StatusError } from './status.ts'

const JSON_TYPES = ['application/json']
const YAML_TYPES = ['application/yaml', 'application/x-yaml', 'text/yaml']
const PROTOBUF = 'application/vnd.kubernetes.protobuf'

export type PatchType = 'json' | 'merge' | 'apply'

/** No kind here has lists that merge by key, so both merges are the same. Server-side apply is treated as a merge. */
const PATCH_TYPES: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'merge',
  'application/apply-patch+yaml': 'apply',
}

export interface ObjectReader {
  /** Reads JSON, YAML or Kubernetes' protobuf, by content type; undefined without a body. */
  object(req: Request): Promise<unknown>
  patch(req: Request): Promise<{ readonly type: PatchType; readonly patch: unknown }>
}

/**
 * Reads objects and patches of requests.
 *
 * @throws {StatusError} from the reader, when the content type is unknown, the body does not match it, or breaks a limit
 */
export function createObjectReader(): ObjectReader {
  const readBody = createBodyReader()
  const yamlToJson = createYamlReader()
  /** kubectl sends JSON as YAML. */
  const readYaml = async (text: string) => {
    try {
      return parseJson(text, OBJECT_LIMITS)
    } catch (error) {
      if (!(error instanceof JsonError)) throw error
      if (error.code !== 'JSON_INVALID' && text.trimStart().startsWith('{')) throw refused(error)
      return parse(await yamlToJson(text))
    }
  }
  return {
    async object(req) {
      const type = mediaType(req)
      const body = await readBody(req, OBJECT_BODY_BYTES)
      if (body.length === 0) return undefined
      if (type === PROTOBUF) return readProtobufObject(body)
      if (JSON_TYPES.includes(type)) return parse(body.toString('utf8'))
      if (YAML_TYPES.includes(type)) return readYaml(body.toString('utf8'))
      throw unsupported(type)
    },
    async patch(req) {
      const name = mediaType(req)
      const type = Object.hasOwn(PATCH_TYPES, name) ? PATCH_TYPES[name] : undefined
      const text = (await readBody(req, OBJECT_BODY_BYTES)).toString('utf8')
      if (type === undefined) throw unsupported(name)
      return { type, patch: type === 'apply' ? await readYaml(text) : parse(text) }
    },
  }
}

/** In lower case, without parameters (RFC 9110, 8.3.1). */
function mediaType({ headers }: Request): string {
  const coding = headers['content-encoding'] ?? 'identity'
  if (coding.toLowerCase() !== 'identity') {
    throw new StatusError('UnsupportedMediaType', 'the body must be sent without a content coding')
  }
  return (headers['content-type'] ?? '(none)').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

function unsupported(type: string): StatusError {
  return new StatusError('UnsupportedMediaType', `content type ${type.slice(0, 100)} is not supported`)
}

const OBJECT_LIMITS = { maxDepth: LIMITS.objectDepth, maxValues: LIMITS.objectValues }

function parse(text: string): unknown {
  try {
    return parseJson(text, OBJECT_LIMITS)
  } catch (error) {
    throw error instanceof JsonError ? refused(error) : error
  }
}

function refused(error: JsonError): StatusError {
  if (error.code === 'JSON_INVALID') return badRequest('the body is not valid JSON')
  return badRequest(`the body breaks a limit: ${error.message}`)
}
