import { isJsonObject } from '@taproom/core/limits'
import { refusals } from '../errors.ts'
import type { SchemaVersion } from '../store/records.ts'
import type { RegistryState } from '../store/registry-state.ts'
import type { SchemaLog } from '../store/schema-log.ts'
import { type CompatibilityLevel, incompatibilities } from './compatibility.ts'
import { Registration, type SchemaRequest } from './registration.ts'
import { Removal } from './removal.ts'
import { SchemaParser } from './schema-parser.ts'
import { type Config, type Mode, Settings } from './settings.ts'
import { WriteQueue } from './write-queue.ts'

/** What a registry does, whatever it is asked by. */
export class Registry {
  readonly state: RegistryState
  readonly settings: Settings
  readonly parser: SchemaParser
  readonly #writes: WriteQueue
  readonly #registration: Registration
  readonly #removal: Removal

  constructor(log: SchemaLog) {
    const { state } = log
    this.state = state
    this.settings = new Settings(state)
    this.parser = new SchemaParser(state)
    this.#writes = new WriteQueue(log)
    this.#registration = new Registration({ state, parser: this.parser, settings: this.settings })
    this.#removal = new Removal(state, this.settings)
  }

  /** @throws {RegistryError} 40901, 42201, 42205, 42209 */
  async register(subject: string, request: SchemaRequest, normalize: boolean): Promise<SchemaVersion> {
    if (request.id === undefined && request.version === undefined) {
      const whole = this.#registration.withLatest(subject, request)
      const known = this.#registration.find(subject, this.#registration.storedForm(subject, whole, normalize), false)
      if (known !== undefined) return known
    }
    return await this.#writes.write(() => this.#registration.decide(subject, request, normalize))
  }

  /** @throws {RegistryError} 40401, 40403, 42201 */
  lookUp(subject: string, request: SchemaRequest, options: { readonly normalize: boolean; readonly deleted: boolean }) {
    const form = this.#registration.storedForm(subject, request, options.normalize)
    const found = this.#registration.lookUp(subject, form, options.deleted)
    if (found !== undefined) return found
    this.requireSubject(subject, options.deleted)
    throw refusals.schemaNotFound()
  }

  /**
   * Why a schema could not be registered; by `version` if there is one, else by as many versions as the level asks for.
   * @throws {RegistryError} 40402, 42201
   */
  async testCompatibility(
    subject: string,
    request: SchemaRequest,
    options: { readonly normalize: boolean; readonly version?: number },
  ): Promise<readonly string[]> {
    const { parsed, schemaType } = this.#registration.storedForm(subject, request, options.normalize)
    const level = this.settings.configInScope(subject).compatibilityLevel
    const { version } = options
    const all = this.state.versions(subject)
    const previous =
      version === undefined ? all : version === -1 ? all.slice(-1) : all.filter((each) => each.version === version)
    if (version !== undefined && version !== -1 && previous.length === 0) throw refusals.versionNotFound(version)
    return await incompatibilities({ level, schemaType, schema: parsed, previous }, this.parser)
  }

  /**
   * A version of a subject; -1 is the latest.
   * @throws {RegistryError} 40401, 40402
   */
  version(subject: string, version: number, options: { readonly deleted: boolean }): SchemaVersion {
    const versions = this.state.versions(subject, { deleted: options.deleted ? 'all' : 'active' })
    const found = version === -1 ? versions.at(-1) : versions.find((each) => each.version === version)
    if (found !== undefined) return found
    this.requireSubject(subject, options.deleted)
    throw refusals.versionNotFound(version)
  }

  /**
   * The latest version whose metadata has these properties.
   * @throws {RegistryError} 40401, 40403
   */
  latestWith(subject: string, properties: readonly (readonly [string, string])[], deleted: boolean): SchemaVersion {
    this.requireSubject(subject, deleted)
    const found = this.state.versions(subject, { deleted: deleted ? 'all' : 'active' }).findLast(({ metadata }) => {
      const own = metadata?.['properties']
      return properties.every(([name, value]) => isJsonObject(own) && Object.hasOwn(own, name) && own[name] === value)
    })
    if (found === undefined) throw refusals.schemaNotFound()
    return found
  }

  /** @throws {RegistryError} 40401 when it has no version */
  requireSubject(subject: string, includeDeleted: boolean): void {
    const versions = this.state.versions(subject, { deleted: includeDeleted ? 'all' : 'active' })
    if (versions.length === 0) throw refusals.subjectNotFound(subject)
  }

  async deleteSubject(subject: string, permanent: boolean): Promise<readonly number[]> {
    return await this.#writes.write(() => this.#removal.subject(subject, permanent))
  }

  async deleteVersion(subject: string, version: number, permanent: boolean): Promise<number> {
    return await this.#writes.write(() => {
      const isLatest = version === -1 && this.state.versions(subject).length > 0
      return this.#removal.version(this.version(subject, version, { deleted: !isLatest }), permanent)
    })
  }

  /** Changes what is given, and answers all that holds then. */
  async setConfig(
    subject: string | null,
    change: { readonly level?: CompatibilityLevel; readonly normalize?: boolean },
  ) {
    return await this.#writes.write(() => {
      this.settings.refuseReadOnly(subject)
      const { level, normalize } = change
      const value = {
        ...this.state.setting('CONFIG', subject),
        ...(level !== undefined && { compatibilityLevel: level }),
        ...(normalize !== undefined && { normalize }),
      }
      return { records: [{ keytype: 'CONFIG', subject, value }], answer: undefined }
    })
  }

  /**
   * Answers what held before.
   * @throws {RegistryError} 40401 when a subject has none of its own
   */
  async deleteConfig(subject: string | null): Promise<Config> {
    return await this.#writes.write(() => {
      const before = this.settings.config(subject)
      if (before === undefined) throw refusals.subjectNotFound(subject ?? '')
      this.settings.refuseReadOnly(subject)
      return { records: [{ keytype: 'CONFIG', subject, value: null }], answer: before }
    })
  }

  /** @throws {RegistryError} 42205 when schemas are in the way of an import, 42206 when they are referred to */
  async setMode(subject: string | null, mode: Mode, force: boolean): Promise<void> {
    await this.#writes.write(() => {
      const isImport = mode === 'IMPORT' && this.settings.modeInScope(subject) !== 'IMPORT' && !force
      const hasSchemas = this.state.subjectsIn(subject).some((each) => this.state.versions(each).length > 0)
      if (isImport && hasSchemas) throw refusals.notPermitted('Cannot import since found existing subjects')
      const remains = isImport ? this.#removal.remains(subject) : []
      return { records: [...remains, { keytype: 'MODE', subject, value: { mode } }], answer: undefined }
    })
  }

  /**
   * Answers what held before.
   * @throws {RegistryError} 40401 when a subject has none of its own
   */
  async deleteMode(subject: string | null): Promise<Mode> {
    return await this.#writes.write(() => {
      const before = this.settings.mode(subject)
      if (before === undefined) throw refusals.subjectNotFound(subject ?? '')
      return { records: [{ keytype: 'MODE', subject, value: null }], answer: before }
    })
  }
}
