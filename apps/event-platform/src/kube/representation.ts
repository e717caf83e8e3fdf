import type { Request } from 'express'
import { apiVersionOf, type Kind } from '../resources/kinds.ts'
import type { KubeObject } from '../resources/object.ts'
import type { ResourcePath } from './paths.ts'
import { parameter } from './query.ts'
import { type IncludeObject, tableOf } from './table.ts'

/** How a request wants objects: in which version, and as themselves or as rows of a table. */
export interface Representation {
  /** The same for all that give the same. */
  readonly name: string
  one(object: KubeObject): object
  list(objects: readonly KubeObject[], resourceVersion: number): object
  /** One object of a watch; only the first table of a watch has the columns. */
  watched(object: KubeObject, options: { readonly isFirst: boolean }): object
}

/** Reads the `Accept` header: `kubectl get` asks for `as=Table`. */
export function representationFor(req: Request, path: ResourcePath, now: () => Date): Representation {
  const { kind, version } = path
  const versioned = (object: KubeObject) => ({ ...object, apiVersion: apiVersionOf(kind, version) })
  if (!/as=Table/.test(req.headers.accept ?? '')) {
    return {
      name: version,
      one: versioned,
      list: (objects, resourceVersion) => listOf(kind, version, objects.map(versioned), resourceVersion),
      watched: versioned,
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
  }
}

function listOf(kind: Kind, version: string, items: readonly object[], resourceVersion: number): object {
  return {
    kind: `${kind.kind}List`,
    apiVersion: apiVersionOf(kind, version),
    metadata: { resourceVersion: String(resourceVersion) },
    items,
  }
}

function readIncludeObject(value: unknown): IncludeObject {
  return value === 'None' || value === 'Object' ? value : 'Metadata'
}
