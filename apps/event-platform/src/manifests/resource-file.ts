import { readFile, rename, writeFile } from 'node:fs/promises'
import { PlatformError } from '../errors.ts'
import { admit } from '../resources/admission.ts'
import { InvalidObjectError } from '../resources/field-reader.ts'
import { isJsonObject, type KubeObject } from '../resources/object.ts'
import { keyOf, keyText, type ResourceStore } from '../resources/resource-store.ts'
import type { AppliedManifest } from './manifest-set.ts'

/** The file of resources is there and cannot be read or understood. */
export class ResourceFileError extends PlatformError {
  override readonly name = 'ResourceFileError'
  readonly code = 'ERR_RESOURCE_FILE'
}

/** What is needed of a logger here. */
interface ResourceFileLog {
  warn(fields: object, message: string): void
}

/** What a file of resources holds. */
interface SavedResources {
  /** The store's version, so that versions go on growing. */
  readonly version: number
  /** Without status: that is found out anew. */
  readonly objects: readonly KubeObject[]
  /** What the manifests said last, so that only what changed in them counts. */
  readonly applied: readonly AppliedManifest[]
  /** The consumer groups that this installation has in Kafka; files of older versions have none. */
  readonly groups?: readonly string[]
}

/** Keeps the resources in a file, so that what was made through the resource API is there after a restart. */
export interface ResourceFile extends AsyncDisposable {
  /** What the manifests said when the file was written; without what is refused now, so that its manifest counts again. */
  readonly applied: readonly AppliedManifest[]
  /** The consumer groups that this installation had in Kafka, when the file says so. */
  readonly groups: readonly string[] | undefined
  /** What was in the file and is not valid any more. */
  readonly refused: readonly KubeObject[]
  /** Writes the file anew soon. */
  save(): void
}

/**
 * Fills the store from a file, if it is there, and from then on writes the file anew soon after every change.
 *
 * @throws {ResourceFileError} when the file is there and cannot be used
 */
export async function openResourceFile(options: {
  readonly path: string
  readonly store: ResourceStore
  readonly applied: () => readonly AppliedManifest[]
  readonly groups: () => readonly string[]
  readonly log: ResourceFileLog
}): Promise<ResourceFile> {
  const { path, store, log } = options
  const saved = await read(path)
  const refused = saved?.objects.filter((object) => !isStillValid(object)) ?? []
  if (saved !== undefined) {
    const valid = saved.objects.filter((object) => !refused.includes(object))
    store.restore(valid, saved.version)
  }
  const refusedKeys = new Set(refused.map((object) => keyText(keyOf(object))))

  let isDue = false
  let writing: Promise<void> = Promise.resolve()
  const write = async () => {
    isDue = false
    const objects = store.all().map(({ status: _status, ...object }) => object)
    const { version } = store
    const state: SavedResources = { version, objects, applied: options.applied(), groups: options.groups() }
    try {
      await writeFile(`${path}.new`, JSON.stringify(state))
      await rename(`${path}.new`, path)
    } catch (err) {
      log.warn({ path, err }, 'resources cannot be saved')
    }
  }
  const save = () => {
    if (isDue) return
    isDue = true
    writing = writing.then(write)
  }
  const unsubscribe = store.subscribe((change) => {
    if (!change.isStatusOnly) save()
  })
  return {
    applied: saved?.applied.filter(({ object }) => !refusedKeys.has(keyText(keyOf(object)))) ?? [],
    groups: saved?.groups,
    refused,
    save,
    async [Symbol.asyncDispose]() {
      unsubscribe()
      await writing
    },
  }
}

async function read(path: string): Promise<SavedResources | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw new ResourceFileError(`cannot read the resources in ${path} (RESOURCES_FILE)`, { cause })
  }
  try {
    const state: unknown = JSON.parse(text)
    if (!isJsonObject(state)) throw new Error()
    const { objects, applied, groups = [] } = state
    if (![objects, applied, groups].every((list) => Array.isArray(list))) throw new Error()
    return state as unknown as SavedResources
  } catch (cause) {
    throw new ResourceFileError(`the resources in ${path} (RESOURCES_FILE) are damaged`, { cause })
  }
}

/** Rules may have become stricter since the file was written. */
function isStillValid(object: KubeObject): boolean {
  try {
    admit(object)
    return true
  } catch (error) {
    if (error instanceof InvalidObjectError) return false
    throw error
  }
}
