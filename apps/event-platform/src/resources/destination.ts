import type { FieldReader } from './field-reader.ts'

/** A reference to an object that has an address. */
export interface ObjectReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  /** The referring object's own namespace when absent. */
  readonly namespace?: string
}

/** Where events go: an addressable object, a URL, or a URL relative to the object's (Knative `duckv1.Destination`). */
export interface Destination {
  readonly ref?: ObjectReference
  readonly uri?: string
}

/** Reads a destination; rules as in Knative: one of `ref` and `uri`, absolute `uri` only when it stands alone. */
export function readDestination(reader: FieldReader): Destination | undefined {
  if (reader.fields('ref', 'uri', 'CACerts', 'audience').object() === undefined) return undefined
  const ref = readReference(reader.child('ref'))
  const uri = reader.child('uri').string()
  if (!reader.child('ref').isPresent && uri === undefined) reader.problem('needs ref, uri or both')
  if (uri !== undefined && ref === undefined && !isHttpUrl(uri)) {
    reader.child('uri').problem(`must be an absolute http URL when there is no ref, got "${uri}"`)
  }
  if (uri !== undefined && ref !== undefined && URL.canParse(uri)) {
    reader.child('uri').problem('must be relative when there is a ref')
  }
  return { ...(ref && { ref }), ...(uri !== undefined && { uri }) }
}

function readReference(reader: FieldReader): ObjectReference | undefined {
  if (reader.object() === undefined) return undefined
  const apiVersion = reader.child('apiVersion').required().string()
  const kind = reader.child('kind').required().string()
  const name = reader.child('name').required().string()
  const namespace = reader.child('namespace').string()
  if (apiVersion === undefined || kind === undefined || name === undefined) return undefined
  return { apiVersion, kind, name, ...(namespace !== undefined && { namespace }) }
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
