import { isJsonObject } from '@taproom/core/limits'
import type { Request, Response } from 'express'
import type { ResourceFile } from '../manifests/resource-file.ts'
import { admit } from '../resources/admission.ts'
import { quoted } from '../resources/field-reader.ts'
import { apiVersionOf } from '../resources/kinds.ts'
import { type KubeObject, metadataOf } from '../resources/object.ts'
import type { ResourceKey, ResourceStore } from '../resources/resource-store.ts'
import { jsonPatch, mergePatch } from './patch.ts'
import { type ResourcePath, resourceName } from './paths.ts'
import { assertPreconditions, assertSameVersion, isDryRun, isDryRunBody } from './preconditions.ts'
import { checkListVersion, checkPaging, parameter, timeoutSeconds, watchStart } from './query.ts'
import { createObjectReader, type ObjectReader } from './read-object.ts'
import type { Representation } from './representation.ts'
import { parseSelectors, type Selector } from './selectors.ts'
import { badRequest, StatusError } from './status.ts'
import { createWatches, type Watch } from './watch.ts'

export interface ResourceApiDeps {
  readonly store: ResourceStore
  /** Where the store is kept over a restart; absent: nowhere. */
  readonly kept?: Pick<ResourceFile, 'failure' | 'saved'> | undefined
  readonly shutdown: AbortSignal
  readonly now: () => Date
}

export interface ResourceCall {
  readonly req: Request
  readonly path: ResourcePath
  readonly representation: Representation
}

const PERMANENT_NAMESPACE = 'default'

/** Each call answers a request. @throws {StatusError} when it is refused */
export class ResourceApi {
  readonly #store: ResourceStore
  readonly #kept: ResourceApiDeps['kept']
  readonly #reader: ObjectReader = createObjectReader()
  readonly #startWatch: Watch

  constructor({ store, kept, shutdown }: ResourceApiDeps) {
    this.#store = store
    this.#kept = kept
    this.#startWatch = createWatches({ store, shutdown })
  }

  get(call: ResourceCall, res: Response): void {
    answer(call, res, this.#existing(call.path))
  }

  list(call: ResourceCall, res: Response): void {
    checkPaging(call.req)
    checkListVersion(call.req, this.#store.version)
    const objects = this.#store.list(call.path.kind.kind).filter(selectorOf(call))
    res.json(call.representation.list(objects, this.#store.version))
  }

  watch(call: ResourceCall, res: Response): void {
    this.#startWatch(res, {
      kind: call.path.kind.kind,
      isSelected: selectorOf(call),
      representation: call.representation,
      ...watchStart(call.req),
      timeoutMs: timeoutSeconds(call.req) * 1000,
    })
  }

  async create(call: ResourceCall, res: Response): Promise<void> {
    const object = placed(await this.#reader.object(call.req), call.path)
    const { name } = metadataOf(object)
    const key = { ...keyAt(call.path), name: typeof name === 'string' ? name : '' }
    if (this.#store.get(key) !== undefined) {
      const message = `${resourceName(call.path.kind)} "${key.name}" already exists`
      throw new StatusError('AlreadyExists', message, { details: detailsOf(key, call.path) })
    }
    const written = await this.#write(call, object)
    answer(call, res.status(201), written)
  }

  async replace(call: ResourceCall, res: Response): Promise<void> {
    this.#existing(call.path)
    const object = placed(await this.#reader.object(call.req), call.path)
    // Looked up again: it may have changed while the body was read.
    const before = this.#existing(call.path)
    assertSameVersion(object, before, call.path)
    answer(call, res, await this.#write(call, object, before))
  }

  async patch(call: ResourceCall, res: Response): Promise<void> {
    const { path } = call
    const { type, patch } = await this.#reader.patch(call.req)
    const before = type === 'apply' ? this.#store.get(keyAt(path)) : this.#existing(path)
    if (before === undefined) {
      const written = await this.#write(call, placed(patch, path))
      return answer(call, res.status(201), written)
    }
    const versioned = { ...before, apiVersion: apiVersionOf(path.kind, path.version) }
    const changed = type === 'json' ? jsonPatch(versioned, patch) : mergePatch(versioned, patch)
    const object = placed(changed, path)
    assertSameVersion(type === 'json' ? object : patch, before, path)
    answer(call, res, await this.#write(call, object, before))
  }

  async remove(call: ResourceCall, res: Response): Promise<void> {
    const options = await this.#reader.object(call.req)
    const object = this.#existing(call.path)
    const key = keyAt(call.path)
    if (key.kind === 'Namespace' && key.name === PERMANENT_NAMESPACE) {
      throw new StatusError('Forbidden', `namespaces "${key.name}" is forbidden: this namespace may not be deleted`)
    }
    assertPreconditions(options, object, call.path)
    if (!isDryRun(call.req) && !isDryRunBody(options)) await this.#keep(() => this.#store.delete(key))
    const details = { ...detailsOf(key, call.path), uid: object.metadata.uid }
    res.json({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details })
  }

  /** Admits an object and stores it, except in a dry run. It is on disk then. */
  async #write({ req, path }: ResourceCall, input: unknown, before?: KubeObject): Promise<KubeObject> {
    const { object, kind } = admit(input, before)
    if (kind !== path.kind) throw badRequest(`the object is a ${kind.kind}, not a ${path.kind.kind}`)
    const { namespace } = object.metadata
    if (namespace !== undefined && this.#store.get({ kind: 'Namespace', name: namespace }) === undefined) {
      throw new StatusError('NotFound', `namespaces "${namespace}" not found`)
    }
    if (isDryRun(req)) return { ...before, ...object }
    return await this.#keep(() => this.#store.put(object))
  }

  /** Changes the store. An answer says that a change is done: so it is on disk before, and nothing changes while that cannot be. */
  async #keep<T>(change: () => T): Promise<T> {
    if (this.#kept?.failure !== undefined) throw this.#kept.failure
    const changed = change()
    await this.#kept?.saved()
    return changed
  }

  #existing(path: ResourcePath): KubeObject {
    const key = keyAt(path)
    const object = this.#store.get(key)
    if (object !== undefined) return object
    const message = `${resourceName(path.kind)} ${quoted(key.name)} not found`
    throw new StatusError('NotFound', message, { details: detailsOf(key, path) })
  }
}

function selectorOf({ req, path }: ResourceCall): Selector {
  const isSelected = parseSelectors({
    labelSelector: parameter(req, 'labelSelector'),
    fieldSelector: parameter(req, 'fieldSelector'),
  })
  return (object) =>
    (path.namespace === undefined || object.metadata.namespace === path.namespace) && isSelected(object)
}

/** Sets namespace and name from the path. @throws {StatusError} when the object says otherwise */
function placed(input: unknown, { namespace, name }: ResourcePath): unknown {
  if (!isJsonObject(input)) throw badRequest('the body is not an object')
  const metadata = metadataOf(input)
  for (const [field, value] of Object.entries({ namespace, name })) {
    if (value !== undefined && metadata[field] !== undefined && metadata[field] !== value) {
      throw badRequest(`the ${field} of the object is not the one of its path, ${quoted(value)}`)
    }
  }
  return { ...input, metadata: { ...metadata, ...(namespace && { namespace }), ...(name && { name }) } }
}

function answer({ representation }: ResourceCall, res: Response, object: KubeObject): void {
  res.json(representation.one(object))
}

/** The object's key; a collection names none. */
function keyAt({ kind, namespace, name = '' }: ResourcePath): ResourceKey {
  return { kind: kind.kind, namespace, name }
}

function detailsOf({ name }: ResourceKey, { kind }: ResourcePath): object {
  return { name, group: kind.group, kind: kind.plural }
}
