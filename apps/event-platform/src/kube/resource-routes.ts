import { type Request, type Response, Router } from 'express'
import { admit } from '../resources/admission.ts'
import { apiVersionOf } from '../resources/kinds.ts'
import { isJsonObject, type KubeObject } from '../resources/object.ts'
import type { ResourceKey, ResourceStore } from '../resources/resource-store.ts'
import { jsonPatch, mergePatch } from './patch.ts'
import { parseResourcePath, type ResourcePath, resourceName } from './paths.ts'
import { readObject } from './read-object.ts'
import { type Representation, representationFor } from './representation.ts'
import { parseSelectors } from './selectors.ts'
import { StatusError } from './status.ts'
import { streamChanges } from './watch.ts'

/** What the resource API serves from. */
export interface ResourceRoutesOptions {
  readonly store: ResourceStore
  readonly shutdown: AbortSignal
  readonly now: () => Date
}

interface Call {
  readonly req: Request
  readonly path: ResourcePath
  readonly representation: Representation
}

const DEFAULT_WATCH_SECONDS = 3600
const PERMANENT_NAMESPACE = 'default'

/** get, list, watch, create, update, patch and delete of all kinds, as Kubernetes' API has them. */
export function resourceRoutes({ store, shutdown, now }: ResourceRoutesOptions): Router {
  const router = Router()
  router.use(async (req, res, next) => {
    const path = parseResourcePath(req.path)
    if (path === undefined) return next()
    const call = { req, path, representation: representationFor(req, path, now) }
    if (path.subresource !== undefined && (path.subresource !== 'status' || req.method !== 'GET')) {
      throw new StatusError('MethodNotAllowed', `${path.subresource} of ${resourceName(path.kind)} cannot be changed`)
    }
    if (path.name === undefined) await collection(call, res)
    else await single(call, path.name, res)
  })

  async function collection(call: Call, res: Response): Promise<void> {
    switch (call.req.method) {
      case 'GET':
        return isTrue(call.req.query['watch']) ? watch(call, res) : list(call, res)
      case 'POST':
        return create(call, res)
      default:
        throw new StatusError('MethodNotAllowed', `${call.req.method} is not possible for a collection`)
    }
  }

  async function single(call: Call, name: string, res: Response): Promise<void> {
    const { req, path } = call
    const key = { kind: path.kind.kind, namespace: path.namespace, name }
    switch (req.method) {
      case 'GET':
        return void res.json(call.representation.one(existing(key, path)))
      case 'PUT':
        return replace(call, key, res)
      case 'PATCH':
        return patch(call, key, res)
      case 'DELETE':
        return remove(call, key, res)
      default:
        throw new StatusError('MethodNotAllowed', `${req.method} is not possible for an object`)
    }
  }

  function meant({ req, path }: Call): (object: KubeObject) => boolean {
    const isSelected = parseSelectors(req.query)
    return (object) =>
      (path.namespace === undefined || object.metadata.namespace === path.namespace) && isSelected(object)
  }

  function list(call: Call, res: Response): void {
    const objects = store.list(call.path.kind.kind).filter(meant(call))
    res.json(call.representation.list(objects, store.version))
  }

  function watch(call: Call, res: Response): void {
    const { resourceVersion, timeoutSeconds } = call.req.query
    streamChanges(res, {
      store,
      kind: call.path.kind.kind,
      isMeant: meant(call),
      representation: call.representation,
      since: Number(resourceVersion) || undefined,
      timeoutMs: (Number(timeoutSeconds) || DEFAULT_WATCH_SECONDS) * 1000,
      shutdown,
    })
  }

  async function create(call: Call, res: Response): Promise<void> {
    const object = placed(await readObject(call.req), call.path)
    const key = { kind: call.path.kind.kind, namespace: call.path.namespace, name: nameOf(object) }
    if (store.get(key) !== undefined) {
      const message = `${resourceName(call.path.kind)} "${key.name}" already exists`
      throw new StatusError('AlreadyExists', message, detailsOf(key, call.path))
    }
    answer(call, res.status(201), write(call, object))
  }

  async function replace(call: Call, key: ResourceKey, res: Response): Promise<void> {
    const before = existing(key, call.path)
    const object = placed(await readObject(call.req), call.path)
    assertSameVersion(object, before, call.path)
    answer(call, res, write(call, object, before))
  }

  async function patch(call: Call, key: ResourceKey, res: Response): Promise<void> {
    const { req, path } = call
    const type = req.headers['content-type'] ?? ''
    const isApply = type.startsWith('application/apply-patch+yaml')
    const before = isApply ? store.get(key) : existing(key, path)
    const body = await readObject(req)
    if (before === undefined) return answer(call, res.status(201), write(call, placed(body, path)))
    const versioned = { ...before, apiVersion: apiVersionOf(path.kind, path.version) }
    const changed = type.startsWith('application/json-patch+json')
      ? jsonPatch(versioned, body)
      : mergePatch(versioned, body)
    const object = placed(changed, path)
    assertSameVersion(isJsonObject(body) ? body : {}, before, path)
    answer(call, res, write(call, object, before))
  }

  async function remove(call: Call, key: ResourceKey, res: Response): Promise<void> {
    const object = existing(key, call.path)
    if (key.kind === 'Namespace' && key.name === PERMANENT_NAMESPACE) {
      throw new StatusError('Forbidden', `namespaces "${key.name}" is forbidden: this namespace may not be deleted`)
    }
    const options = await readObject(call.req)
    const isDryRun = isSet(call.req.query['dryRun']) || (isJsonObject(options) && isSet(options['dryRun']))
    if (!isDryRun) store.delete(key)
    const details = { ...detailsOf(key, call.path), uid: object.metadata.uid }
    res.json({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details })
  }

  /** Admits an object and keeps it, unless the request only asks what would happen. */
  function write({ req, path }: Call, input: unknown, before?: KubeObject): KubeObject {
    const { object, kind } = admit(input, before)
    if (kind !== path.kind) throw new StatusError('BadRequest', `the object is a ${kind.kind}, not a ${path.kind.kind}`)
    const { namespace } = object.metadata
    if (namespace !== undefined && store.get({ kind: 'Namespace', name: namespace }) === undefined) {
      throw new StatusError('NotFound', `namespaces "${namespace}" not found`)
    }
    return isSet(req.query['dryRun']) ? { ...before, ...object } : store.put(object)
  }

  function existing(key: ResourceKey, path: ResourcePath): KubeObject {
    const object = store.get(key)
    if (object !== undefined) return object
    throw new StatusError('NotFound', `${resourceName(path.kind)} "${key.name}" not found`, detailsOf(key, path))
  }

  return router
}

/** The object in the place its path names; whatever it says itself must agree. */
function placed(input: unknown, { namespace, name }: ResourcePath): unknown {
  if (!isJsonObject(input)) throw new StatusError('BadRequest', 'the body is not an object')
  const metadata = isJsonObject(input['metadata']) ? input['metadata'] : {}
  for (const [field, value] of Object.entries({ namespace, name })) {
    if (value !== undefined && metadata[field] !== undefined && metadata[field] !== value) {
      throw new StatusError(
        'BadRequest',
        `the ${field} of the object (${metadata[field]}) is not the one of its path (${value})`,
      )
    }
  }
  return { ...input, metadata: { ...metadata, ...(namespace && { namespace }), ...(name && { name }) } }
}

function assertSameVersion(input: unknown, before: KubeObject, path: ResourcePath): void {
  const metadata = isJsonObject(input) && isJsonObject(input['metadata']) ? input['metadata'] : {}
  const { resourceVersion } = metadata
  if (resourceVersion === undefined || resourceVersion === before.metadata.resourceVersion) return
  const message = `Operation cannot be fulfilled on ${resourceName(path.kind)} "${before.metadata.name}": the object has been modified; please apply your changes to the latest version and try again`
  throw new StatusError('Conflict', message)
}

function answer({ representation }: Call, res: Response, object: KubeObject): void {
  res.json(representation.one(object))
}

function nameOf(object: unknown): string {
  const metadata = isJsonObject(object) && isJsonObject(object['metadata']) ? object['metadata'] : {}
  return String(metadata['name'] ?? '')
}

function detailsOf({ name }: ResourceKey, { kind }: ResourcePath): object {
  return { name, group: kind.group, kind: kind.plural }
}

function isTrue(value: unknown): boolean {
  return value === 'true' || value === '1'
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== ''
}
