import type { Request } from 'express'
import { apiVersionOf } from '../resources/kinds.ts'
import type { KubeObject, ObjectMeta } from '../resources/object.ts'
import type { ResourcePath } from './paths.ts'
import { parameter } from './query.ts'
import { type IncludeObject, tableOf } from './table.ts'

/** The version, and whether objects or table rows, that a request asks for. */
export interface Representation {
  /** Equal names mean equal output. */
  readonly name: string
  one(object: KubeObject): object
  list(objects: readonly KubeObject[], resourceVersion: number): object
  /** Only the first table of a watch has columns. */
  watched(object: KubeObject, options: { readonly isFirst: boolean }): object
  /** An object without content, which says how far a watch is. */
  bookmark(metadata: ListMeta & Pick<ObjectMeta, 'annotations'>, options: { readonly isFirst: boolean }): object
}

interface ListMeta {
  readonly resourceVersion: string
}

/** Reads `Accept`: `kubectl get` asks for `as=Table`. */
export function representationFor(req: Request, path: ResourcePath, now: () => Date): Representation {
  const { kind, version } = path
  const versioned = (object: KubeObject) => ({ ...object, apiVersion: apiVersionOf(kind, version) })
  if (!/as=Table/.test(req.headers.accept ?? '')) {
    return {
      name: version,
      one: versioned,
      list: (objects, resourceVersion) => ({
        kind: `${kind.kind}List`,
        apiVersion: apiVersionOf(kind, version),
        metadata: { resourceVersion: String(resourceVersion) },
        items: objects.map(versioned),
      }),
      watched: versioned,
      bookmark: (metadata) => ({
        kind: kind.kind,
        apiVersion: apiVersionOf(kind, version),
        metadata: { creationTimestamp: null, ...metadata },
      }),
    }
  }
  const includeObject = readIncludeObject(parameter(req, 'includeObject'))
  const table = (objects: readonly KubeObject[], resourceVersion: string, withColumns = true) =>
    tableOf(kind.kind, objects.map(versioned), { resourceVersion, includeObject, now: now(), withColumns })
  return {
    name: `${version} table ${includeObject}`,
    one: (object) => table([object], object.metadata.resourceVersion ?? ''),
    list: (objects, resourceVersion) => table(objects, String(resourceVersion)),
    watched: (object, { isFirst }) => table([object], object.metadata.resourceVersion ?? '', isFirst),
    bookmark: (metadata, { isFirst }) => ({ ...table([], metadata.resourceVersion, isFirst), metadata }),
  }
}

function readIncludeObject(value: unknown): IncludeObject {
  return value === 'None' || value === 'Object' ? value : 'Metadata'
}
