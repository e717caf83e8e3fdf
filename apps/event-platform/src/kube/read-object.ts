import type { Request } from 'express'
import { type Document, isScalar, parseDocument, visit } from 'yaml'
import { readProtobufObject } from './protobuf.ts'
import { readBody } from './read-body.ts'
import { StatusError } from './status.ts'

/** The largest object taken. */
const LIMIT_BYTES = 1_048_576

/** Reads a request's body as JSON, YAML or Kubernetes' protobuf, by its content type; undefined when there is none. */
export async function readObject(req: Request): Promise<unknown> {
  const type = (req.headers['content-type'] ?? '(none)').split(';')[0]?.trim() ?? ''
  const body = await readBody(req, LIMIT_BYTES)
  if (body.length === 0) return undefined
  if (type === 'application/vnd.kubernetes.protobuf') return readProtobufObject(body)
  if (!/[/+](json|yaml)$/.test(type))
    throw new StatusError('UnsupportedMediaType', `content type ${type} is not supported`)
  const text = body.toString('utf8')
  try {
    if (type.endsWith('json')) return JSON.parse(text)
    const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false })
    if (document.errors[0] !== undefined) throw document.errors[0]
    checkKeysUnique(document)
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StatusError('BadRequest', `the body is not valid ${type.endsWith('json') ? 'JSON' : 'YAML'}: ${reason}`)
  }
}

/** As the parser does it, which compares each key of a map with all before. */
function checkKeysUnique(document: Document.Parsed): void {
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        const value = isScalar(key) ? key.value : key
        if (seen.has(value)) throw new Error(`Map keys must be unique; "${value}" is repeated`)
        seen.add(value)
      }
    },
  })
}
