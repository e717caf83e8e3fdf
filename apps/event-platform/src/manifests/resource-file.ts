import { chmod, copyFile, stat } from 'node:fs/promises'
import { isJsonObject } from '@taproom/core/limits'
import type { Log } from '@taproom/core/lines'
import { backOffMs } from '@taproom/core/time'
import { PlatformError } from '../errors.ts'
import { admit } from '../resources/admission.ts'
import { InvalidObjectError } from '../resources/field-reader.ts'
import { type KubeObject, metadataOf, type ObjectMeta } from '../resources/object.ts'
import { keyOf, keyText, type ResourceStore } from '../resources/resource-store.ts'
import type { AppliedManifest } from './manifest-set.ts'
import { readIfThere, replaceFile } from './replace-file.ts'

/** A change is not on disk: the file cannot be written now. */
export class NotSavedError extends PlatformError {
  readonly code = 'RESOURCES_NOT_SAVED'
}

/** The resource file exists, but cannot be read or parsed. */
export class ResourceFileError extends PlatformError {
  readonly code = 'RESOURCE_FILE_UNUSABLE'
}

interface SavedResources {
  /** The store's version, so that versions continue to grow. */
  readonly version: number
  /** Without status, which is computed again. */
  readonly objects: readonly unknown[]
  /** The manifests' last content, so that only changes count. */
  readonly applied: readonly unknown[]
  /** Consumer groups of this installation in Kafka; absent in files of older versions. */
  readonly groups?: readonly string[]
}

export type ResourceFile = Awaited<ReturnType<typeof openResourceFile>>

const RETRY_WAITS = { firstMs: 1000, longestMs: 30_000 }

/**
 * Fills the store from the file, if it exists, then writes it after every change, those that come meanwhile together, retrying while that
 * fails. Objects that are no longer valid are logged, and the file is kept as `{path}.refused-{version}`, which a later one does not replace.
 *
 * @throws {ResourceFileError} when the file exists and cannot be used
 */
export async function openResourceFile(options: {
  readonly path: string
  readonly store: ResourceStore
  readonly applied: () => readonly AppliedManifest[]
  readonly groups: () => readonly string[]
  readonly log: Pick<Log, 'warn'>
}) {
  const { path, store, log } = options
  const saved = await read(path)
  const keptAs = `${path}.refused-${saved?.version ?? 0}`
  const { objects, refused } = sorted(saved?.objects ?? [], (reason, object) => {
    log.warn({ path, keptAs, object, reason }, 'kept resource is not valid any more, set aside')
  })
  if (objects.length < (saved?.objects.length ?? 0)) await keepAside(path, keptAs, log)
  if (saved !== undefined) store.restore(objects, saved.version)
  const refusedKeys = new Set(refused.map((object) => keyText(keyOf(object))))

  let isDue = false
  let failures = 0
  /** Undefined while all changes are on disk or on their way there. */
  let failure: NotSavedError | undefined
  let retry: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  const write = async () => {
    isDue = false
    clearTimeout(retry)
    try {
      await replaceFile(path, textOf(store, options.applied(), options.groups()))
      failures = 0
      failure = undefined
    } catch (err) {
      if (failures === 0) log.warn({ path, err }, 'resources cannot be saved, trying again')
      retry = setTimeout(save, backOffMs(failures, RETRY_WAITS))
      failures += 1
      const { code: reason = 'unknown reason' } = err as NodeJS.ErrnoException
      failure = new NotSavedError(`RESOURCES_FILE cannot be written (${reason})`, { cause: err })
    }
  }
  const save = (): void => {
    if (isDue) return
    isDue = true
    writing = writing.then(write)
  }
  const unsubscribe = store.subscribe((change) => {
    if (!change.isStatusOnly) save()
  })
  // Older versions wrote it readable for all.
  if (saved !== undefined && ((await stat(path)).mode & 0o077) !== 0) save()
  return {
    /** The manifests' content when the file was written, without objects refused now, so that their manifests count again. */
    applied: appliedOf(saved?.applied ?? []).filter(({ object }) => !refusedKeys.has(keyText(keyOf(object)))),
    /** Consumer groups of this installation in Kafka, if the file has them. */
    groups: saved?.groups,
    /** Objects in the file that are no longer valid. */
    refused,
    /** Schedules writing. */
    save,
    /** Why changes cannot be written now; they are tried again. */
    get failure(): NotSavedError | undefined {
      return failure
    },
    /** Resolves when all changes so far are on disk. @throws {NotSavedError} when they cannot be written now */
    async saved(): Promise<void> {
      await writing
      if (failure !== undefined) throw failure
    },
    async [Symbol.asyncDispose]() {
      unsubscribe()
      await writing
      if (failures > 0) await write()
      clearTimeout(retry)
    },
  }
}

async function read(path: string): Promise<SavedResources | undefined> {
  const text = await readIfThere(path).catch((cause: unknown) => {
    throw new ResourceFileError(`cannot read the resources in ${path} (RESOURCES_FILE)`, { cause })
  })
  if (text === undefined) return undefined
  try {
    const state: unknown = JSON.parse(text)
    if (!isJsonObject(state)) throw new Error()
    const { version, objects, applied, groups } = state
    if (![objects, applied, groups ?? []].every((list) => Array.isArray(list))) throw new Error()
    return {
      version: Number.isSafeInteger(version) && Number(version) >= 0 ? Number(version) : 0,
      objects: objects as unknown[],
      applied: applied as unknown[],
      ...(Array.isArray(groups) && { groups: groups.filter((group) => typeof group === 'string') }),
    }
  } catch (cause) {
    const remedy = 'put back a copy of it, or move it away to begin with the manifests alone'
    throw new ResourceFileError(`the resources in ${path} (RESOURCES_FILE) are damaged: ${remedy}`, { cause })
  }
}

/** Separates objects that are still valid from others: rules may have become stricter since. */
function sorted(saved: readonly unknown[], onRefused: (reason: string, object: string) => void) {
  const objects: KubeObject[] = []
  const refused: KubeObject[] = []
  for (const value of saved) {
    const result = restored(value)
    if ('object' in result) {
      objects.push(result.object)
      continue
    }
    if (isNamed(value)) refused.push(value)
    onRefused(result.reason, isNamed(value) ? keyText(keyOf(value)).slice(0, 200) : '(unknown)')
  }
  return { objects, refused }
}

function restored(value: unknown): { readonly object: KubeObject } | { readonly reason: string } {
  try {
    const { object } = admit(value)
    return { object: { ...object, metadata: { ...historyOf(value), ...object.metadata } } }
  } catch (error) {
    if (error instanceof InvalidObjectError) return { reason: error.message }
    return { reason: String(error) }
  }
}

/** Metadata written by the store. */
function historyOf(value: unknown): Partial<ObjectMeta> {
  const { uid, resourceVersion, generation, creationTimestamp } = metadataOf(value)
  return {
    ...(typeof uid === 'string' && { uid }),
    ...(typeof resourceVersion === 'string' && { resourceVersion }),
    ...(typeof generation === 'number' && { generation }),
    ...(typeof creationTimestamp === 'string' && { creationTimestamp }),
  }
}

function isNamed(value: unknown): value is KubeObject {
  const { name, namespace } = metadataOf(value)
  if (!isJsonObject(value) || typeof value['kind'] !== 'string') return false
  return typeof name === 'string' && (namespace === undefined || typeof namespace === 'string')
}

function appliedOf(saved: readonly unknown[]): readonly AppliedManifest[] {
  return saved.flatMap((entry) => {
    if (!isJsonObject(entry) || typeof entry['file'] !== 'string') return []
    const result = restored(entry['object'])
    return 'object' in result ? [{ object: result.object, file: entry['file'] }] : []
  })
}

async function keepAside(path: string, keptAs: string, log: Pick<Log, 'warn'>): Promise<void> {
  try {
    await copyFile(path, keptAs)
    await chmod(keptAs, 0o600)
  } catch (err) {
    log.warn({ path, err }, 'resources that are not valid any more cannot be kept')
  }
}

/** In pieces, each made after the one before is written, so that no step takes long. */
function* textOf(
  store: ResourceStore,
  applied: readonly AppliedManifest[],
  groups: readonly string[],
): Iterable<string> {
  const [objects, version] = [store.all(), store.version]
  yield `{"version":${version},"objects":[`
  for (const [index, { status: _status, ...object }] of objects.entries()) {
    yield `${index === 0 ? '' : ','}${JSON.stringify(object)}`
  }
  yield '],"applied":['
  for (const [index, manifest] of applied.entries()) yield `${index === 0 ? '' : ','}${JSON.stringify(manifest)}`
  yield `],"groups":${JSON.stringify(groups)}}\n`
}
