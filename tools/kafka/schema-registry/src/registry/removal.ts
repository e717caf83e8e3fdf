import { refusals } from '../errors.ts'
import type { RegistryRecord, SchemaVersion } from '../store/records.ts'
import type { RegistryState } from '../store/registry-state.ts'
import type { Settings } from './settings.ts'
import type { Decision } from './write-queue.ts'

/** What deleting writes: first a version is marked, then it may go for good. */
export class Removal {
  readonly #state: RegistryState
  readonly #settings: Settings

  constructor(state: RegistryState, settings: Settings) {
    this.#state = state
    this.#settings = settings
  }

  /**
   * The numbers of the versions that are deleted.
   * @throws {RegistryError} 40401, 40404, 40405, 42205, 42206
   */
  subject(subject: string, permanent: boolean): Decision<readonly number[]> {
    const state = this.#state
    const all = state.versions(subject, { deleted: 'all' })
    const active = state.versions(subject)
    if (all.length === 0) throw refusals.subjectNotFound(subject)
    if (!permanent && active.length === 0) throw refusals.subjectSoftDeleted(subject)
    this.#settings.refuseReadOnly(subject)
    const removed = permanent ? all : active
    for (const each of removed) {
      this.#refuseReferred(each, (referrer) => referrer.subject !== subject && (permanent || !referrer.deleted))
      if (permanent && !each.deleted) throw refusals.subjectNotSoftDeleted(subject)
    }
    const answer = removed.map(({ version }) => version)
    if (permanent) return { records: [...removed.toReversed().map(tombstone), ...this.#settingsOf(subject)], answer }
    const version = answer.at(-1) ?? 0
    return { records: [{ keytype: 'DELETE_SUBJECT', subject, value: { version } }], answer }
  }

  /**
   * @param found the version that the path names; deleted ones count too
   * @throws {RegistryError} 40406, 40407, 42205, 42206
   */
  version(found: SchemaVersion, permanent: boolean): Decision<number> {
    const { subject, version } = found
    if (!permanent && found.deleted) throw refusals.versionSoftDeleted(subject, version)
    this.#settings.refuseReadOnly(subject)
    this.#refuseReferred(found, (referrer) => permanent || !referrer.deleted)
    if (!permanent) {
      const record = { keytype: 'SCHEMA', subject, version, value: { ...found, deleted: true } } as const
      return { records: [record], answer: version }
    }
    if (!found.deleted) throw refusals.versionNotSoftDeleted(subject, version)
    const isLast = this.#state.versions(subject, { deleted: 'all' }).length === 1
    return { records: [tombstone(found), ...(isLast ? this.#settingsOf(subject) : [])], answer: version }
  }

  /** All that is deleted already, of one subject, a context or all: nothing of it may be in the way of an import. */
  remains(subject: string | null): RegistryRecord[] {
    const deleted = this.#state.subjectsIn(subject).flatMap((each) => this.#state.versions(each, { deleted: 'only' }))
    for (const each of deleted) this.#refuseReferred(each, () => true)
    return deleted.map(tombstone)
  }

  #refuseReferred({ subject, version }: SchemaVersion, counts: (referrer: SchemaVersion) => boolean): void {
    if (this.#state.referrers(subject, version).some(counts)) throw refusals.referenceExists(subject, version)
  }

  #settingsOf(subject: string): RegistryRecord[] {
    return (['MODE', 'CONFIG'] as const)
      .filter((keytype) => this.#state.setting(keytype, subject) !== undefined)
      .map((keytype) => ({ keytype, subject, value: null }))
  }
}

function tombstone({ subject, version }: SchemaVersion): RegistryRecord {
  return { keytype: 'SCHEMA', subject, version, value: null }
}
