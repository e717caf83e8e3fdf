import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '@taproom/core/limits'
import type { Log } from '@taproom/core/lines'
import { PlatformError } from '../errors.ts'
import { readFields } from './field-reader.ts'
import { KINDS, type KindName, type Specs } from './kinds.ts'
import { type KubeObject, sizeOf } from './object.ts'

/** As the resource API's watch names it. */
export interface ResourceChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly kind: KindName
  /** After the change; a deleted object has the deletion's resource version. */
  readonly object: KubeObject
  readonly version: number
  readonly isStatusOnly: boolean
  /** Bytes as JSON, without status. */
  readonly bytes: number
}

/** The store is full; the message names the limit. */
export class CapacityError extends PlatformError {
  readonly code = 'RESOURCE_STORE_FULL'
}

/** An object and its parsed specification. */
export interface Resource<K extends KindName> {
  readonly object: KubeObject
  readonly spec: Specs[K]
}

export interface ResourceKey {
  readonly kind: KindName
  readonly namespace?: string | undefined
  readonly name: string
}

/** Changes kept for watchers that resume, and their bytes of objects. */
const HISTORY = 1024
const HISTORY_BYTES = 8 * 1024 * 1024

/** With this many objects, listing or reconciling everything still takes little time. */
const MOST_OBJECTS = 1000
const MOST_BYTES = 4 * 1024 * 1024

/** The platform's objects, in memory. Takes admitted objects only; every change gets a resource version and goes to the listeners. */
export class ResourceStore {
  readonly #entries = new Map<string, { readonly object: KubeObject; readonly bytes: number }>()
  /** Sorted keys of each kind, until one is added or removed. */
  readonly #keys = new Map<KindName, readonly string[]>()
  readonly #specs = new WeakMap<KubeObject, unknown>()
  readonly #listeners = new Set<(change: ResourceChange) => void>()
  /** Keys of objects of files that were deleted: the next ones are others. */
  readonly #deletedOfFiles = new Set<string>()
  readonly #now: () => Date
  readonly #log: Pick<Log, 'error'> | undefined
  #history: ResourceChange[] = []
  #historyBytes = 0
  #bytes = 0
  #version = 0
  #isRestored = false

  /** Failing listeners are logged. */
  constructor(options: { readonly now?: () => Date; readonly log?: Pick<Log, 'error'> } = {}) {
    this.#now = options.now ?? (() => new Date())
    this.#log = options.log
  }

  /** Resource version of the latest change. */
  get version(): number {
    return this.#version
  }

  get(key: ResourceKey): KubeObject | undefined {
    return this.#entries.get(keyText(key))?.object
  }

  all(): readonly KubeObject[] {
    return Array.from(this.#entries.values(), ({ object }) => object)
  }

  /** Restores objects from before a restart, without limits, and continues their versions. New objects are others than any before. */
  restore(objects: readonly KubeObject[], version: number): void {
    this.#isRestored = true
    this.#version = Math.max(this.#version, version)
    for (const object of objects) this.#keep(keyText(keyOf(object)), object, sizeOf(object))
  }

  /** Objects of a kind, in one namespace if given, sorted by name. */
  list(kind: KindName, namespace?: string): KubeObject[] {
    let keys = this.#keys.get(kind)
    if (keys === undefined) {
      keys = [...this.#entries.keys()].filter((key) => key.startsWith(`${kind}/`)).sort()
      this.#keys.set(kind, keys)
    }
    const objects = keys.flatMap((key) => this.#entries.get(key)?.object ?? [])
    return namespace === undefined ? objects : objects.filter(({ metadata }) => metadata.namespace === namespace)
  }

  /** Like {@link list}, with specifications. */
  resources<K extends KindName>(kind: K): Resource<K>[] {
    return this.list(kind).map((object) => ({ object, spec: this.#spec(kind, object) }))
  }

  /**
   * Creates an object or replaces its metadata and specification; keeps its status. Does nothing when nothing changes. An object that a
   * client makes has a uid of its own; one `isOfFile`, which every process of the platform reads, has the same uid in each of them.
   *
   * @throws {CapacityError} when the store would grow beyond 1000 objects or 4 MiB
   */
  put(object: KubeObject, { isOfFile = false } = {}): KubeObject {
    const existing = this.get(keyOf(object))
    if (existing === undefined) return this.#write('ADDED', this.#created(object, isOfFile))
    const { labels, annotations } = object.metadata
    const { labels: _labels, annotations: _annotations, ...kept } = existing.metadata
    const specChanged = !isDeepStrictEqual(existing.spec, object.spec)
    const next: KubeObject = {
      ...object,
      metadata: {
        ...kept,
        ...(labels && { labels }),
        ...(annotations && { annotations }),
        generation: (existing.metadata.generation ?? 1) + (specChanged ? 1 : 0),
      },
      ...(existing.status && { status: existing.status }),
    }
    return isDeepStrictEqual(next, existing) ? existing : this.#write('MODIFIED', next)
  }

  /** Does nothing when the status is the same, or the object is gone. */
  setStatus(key: ResourceKey, status: JsonObject): void {
    const existing = this.get(key)
    if (existing === undefined || isDeepStrictEqual(existing.status, status)) return
    this.#write('MODIFIED', { ...existing, status }, { isStatusOnly: true })
  }

  delete(key: ResourceKey): KubeObject | undefined {
    const existing = this.get(key)
    return existing && this.#write('DELETED', existing)
  }

  /** Changes after a version, oldest first; undefined when some are no longer kept. */
  since(version: number): readonly ResourceChange[] | undefined {
    const oldest = this.#history[0]?.version ?? this.#version + 1
    if (version + 1 < oldest || version > this.#version) return undefined
    return this.#history.filter((change) => change.version > version)
  }

  /** Calls the listener synchronously with every change, in order; returns a function that unsubscribes. */
  subscribe(listener: (change: ResourceChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #spec<K extends KindName>(kind: K, object: KubeObject): Specs[K] {
    const known = this.#specs.get(object)
    if (known !== undefined) return known as Specs[K]
    const spec = readFields(object.metadata.name, object, (root) => KINDS[kind].read(root))
    // Admitted objects always have a readable specification.
    this.#specs.set(object, spec)
    return spec as Specs[K]
  }

  #created(object: KubeObject, isOfFile: boolean): KubeObject {
    const now = this.#now().toISOString()
    const key = keyText(keyOf(object))
    const isFirst = isOfFile && !this.#isRestored && !this.#deletedOfFiles.has(key)
    return {
      ...object,
      metadata: {
        ...object.metadata,
        uid: uidOf(isFirst ? key : `${key} ${now} ${this.#version}`),
        generation: 1,
        creationTimestamp: `${now.slice(0, 19)}Z`,
      },
    }
  }

  #write(type: ResourceChange['type'], object: KubeObject, { isStatusOnly = false } = {}): KubeObject {
    const key = keyText(keyOf(object))
    const before = this.#entries.get(key)?.bytes ?? 0
    const bytes = type === 'DELETED' || isStatusOnly ? before : sizeOf(object)
    if (type === 'ADDED' && this.#entries.size >= MOST_OBJECTS) {
      throw new CapacityError(`exceeded quota: at most ${MOST_OBJECTS} objects are kept`)
    }
    if (type !== 'DELETED' && bytes > before && this.#bytes + bytes - before > MOST_BYTES) {
      throw new CapacityError(`exceeded quota: at most ${MOST_BYTES} bytes of objects are kept`)
    }
    this.#version += 1
    const written = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } }
    if (type === 'DELETED') this.#forget(key)
    else this.#keep(key, written, bytes)
    this.#notify({ type, kind: keyOf(object).kind, object: written, version: this.#version, isStatusOnly, bytes })
    return written
  }

  #keep(key: string, object: KubeObject, bytes: number): void {
    const before = this.#entries.get(key)
    if (before === undefined) this.#keys.delete(keyOf(object).kind)
    this.#bytes += bytes - (before?.bytes ?? 0)
    this.#entries.set(key, { object, bytes })
  }

  #forget(key: string): void {
    this.#keys.clear()
    const gone = this.#entries.get(key)
    this.#bytes -= gone?.bytes ?? 0
    this.#entries.delete(key)
    if (gone?.object.metadata.uid !== uidOf(key)) return
    this.#deletedOfFiles.add(key)
    for (const oldest of this.#deletedOfFiles)
      if (this.#deletedOfFiles.size > MOST_OBJECTS) this.#deletedOfFiles.delete(oldest)
  }

  /** A failing listener stops neither the change nor other listeners. */
  #notify(change: ResourceChange): void {
    this.#history.push(change)
    this.#historyBytes += change.bytes
    while (this.#history.length > HISTORY || (this.#historyBytes > HISTORY_BYTES && this.#history.length > 1)) {
      this.#historyBytes -= this.#history.shift()?.bytes ?? 0
    }
    for (const listener of this.#listeners) {
      try {
        listener(change)
      } catch (err) {
        this.#log?.error({ err, object: keyText(keyOf(change.object)) }, 'a change of a resource could not be handled')
      }
    }
  }
}

export function keyOf(object: KubeObject): ResourceKey {
  return { kind: object.kind as KindName, namespace: object.metadata.namespace, name: object.metadata.name }
}

/** Sorts by kind, namespace and name. */
export function keyText({ kind, namespace, name }: ResourceKey): string {
  return `${kind}/${namespace ?? ''}/${name}`
}

/** RFC 9562, version 8. */
function uidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
