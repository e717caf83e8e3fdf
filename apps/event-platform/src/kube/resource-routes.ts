import { type Request, type Response, Router } from 'express'
import { admit } from '../resources/admission.ts'
import { quoted } from '../resources/field-reader.ts'
import { apiVersionOf } from '../resources/kinds.ts'
import { isJsonObject, type KubeObject } from '../resources/object.ts'
import type { ResourceKey, ResourceStore } from '../resources/resource-store.ts'
import { jsonPatch, mergePatch } from './patch.ts'
import { parseResourcePath, type ResourcePath, resourceName } from './paths.ts'
import { checkPaging, flag, parameter, resourceVersion, timeoutSeconds } from './query.ts'
import { createObjectReader } from './read-object.ts'
import { type Representation, representationFor } from './representation.ts'
import { parseSelectors } from './selectors.ts'
import { methodNotAllowed, StatusError } from './status.ts'
import { createWatches } from './watch.ts'

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

const PERMANENT_NAMESPACE = 'default'
const COLLECTION_METHODS = ['GET', 'HEAD', 'POST']
const OBJECT_METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']
const READING = ['GET', 'HEAD']

/** get, list, watch, create, update, patch and delete of all kinds, as Kubernetes' API has them. */
export function resourceRoutes({ store, shutdown, now }: ResourceRoutesOptions): Router {
  const router = Router()
  const reader = createObjectReader()
  const startWatch = createWatches({ store, shutdown })
  router.use(async (req, res, next) => {
    const path = parseResourcePath(req.path)
    if (path === undefined) return next()
    const call = { req, path, representation: representationFor(req, path, now) }
    if (path.subresource !== undefined && path.subresource !== 'status') return next()
    if (path.subresource !== undefined && !READING.includes(req.method)) throw methodNotAllowed(READING)
    if (path.name === undefined) await collection(call, res)
    else await single(call, path.name, res)
  })

  async function collection(call: Call, res: Response): Promise<void> {
    switch (call.req.method) {
      case 'GET':
        return flag(call.req, 'watch') ? watch(call, res) : list(call, res)
      case 'HEAD':
        return list(call, res)
      case 'POST':
        return create(call, res)
      default:
        throw methodNotAllowed(COLLECTION_METHODS)
    }
  }

  async function single(call: Call, name: string, res: Response): Promise<void> {
    const { req, path } = call
    const key = { kind: path.kind.kind, namespace: path.namespace, name }
    switch (req.method) {
      case 'GET':
      case 'HEAD':
        return void res.json(call.representation.one(existing(key, path)))
      case 'PUT':
        return replace(call, key, res)
      case 'PATCH':
        return patch(call, key, res)
      case 'DELETE':
        return remove(call, key, res)
      default:
        throw methodNotAllowed(OBJECT_METHODS)
    }
  }

  function meant({ req, path }: Call): (object: KubeObject) => boolean {
    const isSelected = parseSelectors({
      labelSelector: parameter(req, 'labelSelector'),
      fieldSelector: parameter(req, 'fieldSelector'),
    })
    return (object) =>
      (path.namespace === undefined || object.metadata.namespace === path.namespace) && isSelected(object)
  }

  function list(call: Call, res: Response): void {
    checkPaging(call.req)
    resourceVersion(call.req)
    const objects = store.list(call.path.kind.kind).filter(meant(call))
    res.json(call.representation.list(objects, store.version))
  }

  function watch(call: Call, res: Response): void {
    startWatch(res, {
      kind: call.path.kind.kind,
      isMeant: meant(call),
      representation: call.representation,
      since: resourceVersion(call.req),
      timeoutMs: timeoutSeconds(call.req) * 1000,
    })
  }

  async function create(call: Call, res: Response): Promise<void> {
    const object = placed(await reader.object(call.req), call.path)
    const key = { kind: call.path.kind.kind, namespace: call.path.namespace, name: nameOf(object) }
    if (store.get(key) !== undefined) {
      const message = `${resourceName(call.path.kind)} "${key.name}" already exists`
      throw new StatusError('AlreadyExists', message, { details: detailsOf(key, call.path) })
    }
    answer(call, res.status(201), write(call, object))
  }

  async function replace(call: Call, key: ResourceKey, res: Response): Promise<void> {
    existing(key, call.path)
    const object = placed(await reader.object(call.req), call.path)
    // It may have changed while the body came.
    const before = existing(key, call.path)
    assertSameVersion(object, before, call.path)
    answer(call, res, write(call, object, before))
  }

  async function patch(call: Call, key: ResourceKey, res: Response): Promise<void> {
    const { path } = call
    const { type, patch: body } = await reader.patch(call.req)
    const before = type === 'apply' ? store.get(key) : existing(key, path)
    if (before === undefined) return answer(call, res.status(201), write(call, placed(body, path)))
    const versioned = { ...before, apiVersion: apiVersionOf(path.kind, path.version) }
    const changed = type === 'json' ? jsonPatch(versioned, body) : mergePatch(versioned, body)
    const object = placed(changed, path)
    assertSameVersion(type === 'json' ? object : body, before, path)
    answer(call, res, write(call, object, before))
  }

  async function remove(call: Call, key: ResourceKey, res: Response): Promise<void> {
    const options = await reader.object(call.req)
    const object = existing(key, call.path)
    if (key.kind === 'Namespace' && key.name === PERMANENT_NAMESPACE) {
      throw new StatusError('Forbidden', `namespaces "${key.name}" is forbidden: this namespace may not be deleted`)
    }
    assertPreconditions(options, object, call.path)
    if (!isDryRun(call.req) && !isDryRunBody(options)) store.delete(key)
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
    return isDryRun(req) ? { ...before, ...object } : store.put(object)
  }

  function existing(key: ResourceKey, path: ResourcePath): KubeObject {
    const object = store.get(key)
    if (object !== undefined) return object
    const message = `${resourceName(path.kind)} ${quoted(key.name)} not found`
    throw new StatusError('NotFound', message, { details: detailsOf(key, path) })
  }

  return router
}

/** The object in the place its path names; whatever it says itself must agree. */
function placed(input: unknown, { namespace, name }: ResourcePath): unknown {
  if (!isJsonObject(input)) throw new StatusError('BadRequest', 'the body is not an object')
  const metadata = isJsonObject(input['metadata']) ? input['metadata'] : {}
  for (const [field, value] of Object.entries({ namespace, name })) {
    if (value !== undefined && metadata[field] !== undefined && metadata[field] !== value) {
      throw new StatusError('BadRequest', `the ${field} of the object is not the one of its path, ${quoted(value)}`)
    }
  }
  return { ...input, metadata: { ...metadata, ...(namespace && { namespace }), ...(name && { name }) } }
}

function assertSameVersion(input: unknown, before: KubeObject, path: ResourcePath): void {
  const metadata = isJsonObject(input) && isJsonObject(input['metadata']) ? input['metadata'] : {}
  const given = metadata['resourceVersion']
  if (given !== undefined && given !== '' && given !== before.metadata.resourceVersion) throw conflict(before, path)
}

/** `DeleteOptions.preconditions`: what the object must be for it to be deleted. */
function assertPreconditions(options: unknown, object: KubeObject, path: ResourcePath): void {
  const preconditions = isJsonObject(options) ? options['preconditions'] : undefined
  if (!isJsonObject(preconditions)) return
  for (const field of ['uid', 'resourceVersion'] as const) {
    const wanted = preconditions[field] ?? object.metadata[field]
    if (wanted !== object.metadata[field]) throw conflict(object, path)
  }
}

function conflict({ metadata }: KubeObject, { kind }: ResourcePath): StatusError {
  const message = `Operation cannot be fulfilled on ${resourceName(kind)} "${metadata.name}": the object has been modified; please apply your changes to the latest version and try again`
  return new StatusError('Conflict', message)
}

function answer({ representation }: Call, res: Response, object: KubeObject): void {
  res.json(representation.one(object))
}

function nameOf(object: unknown): string {
  const metadata = isJsonObject(object) && isJsonObject(object['metadata']) ? object['metadata'] : {}
  return typeof metadata['name'] === 'string' ? metadata['name'] : ''
}

function detailsOf({ name }: ResourceKey, { kind }: ResourcePath): object {
  return { name, group: kind.group, kind: kind.plural }
}

/** Any value asks only what would happen, also one that is given twice. */
function isDryRun({ query }: Request): boolean {
  return query['dryRun'] !== undefined && query['dryRun'] !== ''
}

function isDryRunBody(options: unknown): boolean {
  const dryRun = isJsonObject(options) ? options['dryRun'] : undefined
  return Array.isArray(dryRun) ? dryRun.length > 0 : dryRun !== undefined && dryRun !== null && dryRun !== ''
}
