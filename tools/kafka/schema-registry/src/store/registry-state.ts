import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '@taproom/core/limits'
import { REGISTRY_LIMITS } from '../limits.ts'
import {
  bytesOf,
  type RegistryRecord,
  type SchemaReference,
  type SchemaVersion,
  type VersionRecord,
} from './records.ts'
import { schemaGuid } from './schema-guid.ts'
import { contextOf, DEFAULT_CONTEXT, inContext, nameOf } from './subject-name.ts'

/**
 * The fate of a record: it holds; it says otherwise than what stands there, which stays; there is no room for it; or it is beyond the
 * limits of what is read.
 */
export type Outcome = 'applied' | 'conflict' | 'full' | 'unreadable'

export interface Filter {
  /** Default `active`. */
  readonly deleted?: 'active' | 'all' | 'only'
}

/** All that the records of `_schemas` say, one after another. */
export class RegistryState {
  /** Versions of each subject, in their order. */
  readonly #subjects = new Map<string, Map<number, SchemaVersion>>()
  /** Each context gives ids of its own. */
  readonly #byId = new Map<string, Set<SchemaVersion>>()
  readonly #byGuid = new Map<string, Set<SchemaVersion>>()
  readonly #settings = { CONFIG: new Map<string | null, JsonObject>(), MODE: new Map<string | null, JsonObject>() }
  #versions = 0
  #bytes = 0
  readonly #highestIds = new Map<string, number>()

  /** Not lower than any id that was ever seen in the context. */
  highestId(context: string): number {
    return this.#highestIds.get(context) ?? 0
  }

  /** The default context, and all others that have subjects. */
  get contexts(): readonly string[] {
    return [...new Set([DEFAULT_CONTEXT, ...[...this.#subjects.keys()].map(contextOf)])].sort()
  }

  /** Whether one more version of `bytes` fits in. */
  hasRoomFor(subject: string, bytes: number): boolean {
    const { subjects, versions, versionsOfSubject, storedBytes } = REGISTRY_LIMITS
    const own = this.#subjects.get(subject)
    return (
      this.#versions < versions &&
      this.#bytes + bytes <= storedBytes &&
      (own === undefined ? this.#subjects.size < subjects : own.size < versionsOfSubject)
    )
  }

  /**
   * Takes the next record of the topic. `mayReplace`: a version that stands already can be another schema from now on, as it is while the topic
   * is read from its beginning, where compaction has left the last record of each key.
   */
  apply(record: RegistryRecord, { mayReplace }: { readonly mayReplace: boolean }): Outcome {
    switch (record.keytype) {
      case 'SCHEMA':
        return this.#applyVersion(record, mayReplace)
      case 'DELETE_SUBJECT':
        if (record.value !== null) this.#deleteUpTo(record.subject, record.value.version)
        return 'applied'
      case 'NOOP':
        return 'applied'
      default: {
        const settings = this.#settings[record.keytype]
        if (record.value === null) settings.delete(record.subject)
        else if (settings.size > REGISTRY_LIMITS.subjects && !settings.has(record.subject)) return 'full'
        else settings.set(record.subject, record.value)
        return 'applied'
      }
    }
  }

  /**
   * Takes a record that says again what holds. It changes something only for who has read from the beginning, and there another schema in the
   * place of this one; `conflict` if what it says holds no longer.
   */
  applyRepair(record: VersionRecord): Outcome {
    const { subject, version, value } = record
    const standing = this.version(subject, version)
    if (value !== null && standing !== undefined && !isSame(standing, value)) {
      return this.apply(record, { mayReplace: true })
    }
    return isDeepStrictEqual(standing ?? null, value) ? 'applied' : 'conflict'
  }

  version(subject: string, version: number): SchemaVersion | undefined {
    return this.#subjects.get(subject)?.get(version)
  }

  /** In the order of their numbers. */
  versions(subject: string, { deleted = 'active' }: Filter = {}): SchemaVersion[] {
    const all = [...(this.#subjects.get(subject)?.values() ?? [])]
    if (deleted !== 'all') return all.filter((each) => each.deleted === (deleted === 'only'))
    return all
  }

  /** In the order of the alphabet. With `only`: those of which every version is deleted. */
  subjects({ deleted = 'active' }: Filter = {}): string[] {
    const names = [...this.#subjects.keys()].sort()
    if (deleted === 'all') return names
    const isActive = (name: string) => this.versions(name).length > 0
    return names.filter((name) => isActive(name) === (deleted === 'active'))
  }

  /** The subjects to which a setting applies: one, those of a context (`:.beers:`), or with null all; deleted ones included. */
  subjectsIn(scope: string | null): readonly string[] {
    if (scope !== null && nameOf(scope) !== '') return [scope]
    const all = this.subjects({ deleted: 'all' })
    return scope === null ? all : all.filter((each) => contextOf(each) === contextOf(scope))
  }

  /** All versions with one id of a context, deleted ones included, in the order in which they came. */
  withId(context: string, id: number): readonly SchemaVersion[] {
    return [...(this.#byId.get(idKey(context, id)) ?? [])]
  }

  /** Of one schema, whatever the subject. */
  withGuid(guid: string): readonly SchemaVersion[] {
    return [...(this.#byGuid.get(guid) ?? [])]
  }

  /** Those that refer to this version. */
  referrers(subject: string, version: number): SchemaVersion[] {
    const isThis = (referrer: SchemaVersion, reference: SchemaReference) =>
      reference.version === version && inContext(contextOf(referrer.subject), reference.subject) === subject
    return [...this.#all()].filter((each) => each.references.some((reference) => isThis(each, reference)))
  }

  setting(keytype: 'CONFIG' | 'MODE', subject: string | null): JsonObject | undefined {
    return this.#settings[keytype].get(subject)
  }

  #applyVersion(record: VersionRecord, mayReplace: boolean): Outcome {
    const { subject, version, value } = record
    const standing = this.version(subject, version)
    if (value === null) {
      if (standing !== undefined) this.#remove(standing)
      return 'applied'
    }
    const guid = schemaGuid(value)
    const isOther = standing !== undefined && !isSame(standing, value)
    if (isOther && !mayReplace) return 'conflict'
    const sameId = this.withId(contextOf(subject), value.id).find((each) => each !== standing)
    if (sameId !== undefined && schemaGuid(sameId) !== guid) return 'conflict'
    if (standing === undefined && !this.hasRoomFor(subject, bytesOf(value))) return 'full'
    if (standing !== undefined) this.#remove(standing)
    this.#add(value, guid)
    return 'applied'
  }

  #deleteUpTo(subject: string, version: number): void {
    for (const each of this.versions(subject)) {
      if (each.version > version) continue
      this.#remove(each)
      this.#add({ ...each, deleted: true }, schemaGuid(each))
    }
  }

  #add(value: SchemaVersion, guid: string): void {
    const own = this.#subjects.get(value.subject) ?? new Map<number, SchemaVersion>()
    const numbers = [...own.keys()]
    const isLast = (numbers.at(-1) ?? 0) < value.version
    own.set(value.version, value)
    this.#subjects.set(value.subject, isLast ? own : new Map([...own].sort(([a], [b]) => a - b)))
    const context = contextOf(value.subject)
    addTo(this.#byId, idKey(context, value.id), value)
    addTo(this.#byGuid, guid, value)
    this.#versions += 1
    this.#bytes += bytesOf(value)
    this.#highestIds.set(context, Math.max(this.highestId(context), value.id))
  }

  #remove(value: SchemaVersion): void {
    const own = this.#subjects.get(value.subject)
    own?.delete(value.version)
    if (own?.size === 0) this.#subjects.delete(value.subject)
    removeFrom(this.#byId, idKey(contextOf(value.subject), value.id), value)
    removeFrom(this.#byGuid, schemaGuid(value), value)
    this.#versions -= 1
    this.#bytes -= bytesOf(value)
  }

  *#all(): Generator<SchemaVersion> {
    for (const versions of this.#subjects.values()) yield* versions.values()
  }
}

function isSame(one: SchemaVersion, other: SchemaVersion): boolean {
  return one.id === other.id && schemaGuid(one) === schemaGuid(other)
}

function idKey(context: string, id: number): string {
  return `${context}:${id}`
}

function addTo<Key>(index: Map<Key, Set<SchemaVersion>>, key: Key, value: SchemaVersion): void {
  const values = index.get(key)
  if (values === undefined) index.set(key, new Set([value]))
  else values.add(value)
}

function removeFrom<Key>(index: Map<Key, Set<SchemaVersion>>, key: Key, value: SchemaVersion): void {
  const values = index.get(key)
  values?.delete(value)
  if (values?.size === 0) index.delete(key)
}
