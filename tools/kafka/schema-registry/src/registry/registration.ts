import { isDeepStrictEqual } from 'node:util'
import { refusals } from '../errors.ts'
import type { ParsedSchema } from '../formats/schema-format.ts'
import { REGISTRY_LIMITS } from '../limits.ts'
import { bytesOf, decodeRecord, encodeRecord, type RegistryRecord, type SchemaVersion } from '../store/records.ts'
import type { RegistryState } from '../store/registry-state.ts'
import { schemaGuid } from '../store/schema-guid.ts'
import { contextOf } from '../store/subject-name.ts'
import { incompatibilities } from './compatibility.ts'
import type { SchemaParser, SchemaSource } from './schema-parser.ts'
import type { Settings } from './settings.ts'
import type { Decision } from './write-queue.ts'

/** A schema to be registered, looked up or compared. */
export interface SchemaRequest extends SchemaSource {
  /** Only when schemas are imported. */
  readonly id?: number
  readonly version?: number
}

/** A schema in the form in which it is stored. */
export interface StoredForm extends SchemaSource {
  readonly parsed: ParsedSchema
  readonly guid: string
}

interface RegistrationDeps {
  readonly state: RegistryState
  readonly parser: SchemaParser
  readonly settings: Settings
}

/** How schemas become versions of subjects. */
export class Registration {
  readonly #deps: RegistrationDeps

  constructor(deps: RegistrationDeps) {
    this.#deps = deps
  }

  /** @throws {RegistryError} 42201 */
  storedForm(subject: string, request: SchemaSource, normalize: boolean): StoredForm {
    const { parser, settings } = this.#deps
    const references = parser.withVersions(subject, request.references)
    const parsed = parser.parse(subject, { ...request, references })
    const isNormalized = normalize || settings.configInScope(subject).normalize === true
    const schema = isNormalized ? parsed.normalized : parsed.canonical
    const { schemaType, metadata, ruleSet } = request
    const source = { schemaType, schema, references, ...(metadata && { metadata }), ...(ruleSet && { ruleSet }) }
    return { ...source, parsed, guid: schemaGuid(source) }
  }

  /**
   * A request to register with what it does not name as the latest version has it: metadata, rules, and the schema with its type and
   * references. An import takes nothing over.
   */
  withLatest<Request extends SchemaSource>(subject: string, request: Request): Request {
    const latest = this.#deps.state.versions(subject).at(-1)
    if (latest === undefined || this.#deps.settings.isImport(subject)) return request
    const { metadata, ruleSet, schemaType, schema, references } = latest
    const isSameSchema = request.schema.trim() === ''
    return {
      ...(metadata && { metadata }),
      ...(ruleSet && { ruleSet }),
      ...request,
      ...(isSameSchema && { schemaType, schema, references }),
    }
  }

  /** The version of the subject that is this schema: the latest, if it is several. */
  find(subject: string, { guid, schemaType }: StoredForm, includeDeleted: boolean): SchemaVersion | undefined {
    return this.#deps.state
      .withGuid(guid)
      .filter((each) => each.subject === subject && each.schemaType === schemaType)
      .filter(({ deleted }) => includeDeleted || !deleted)
      .toSorted((a, b) => b.version - a.version)
      .at(0)
  }

  /** As {@link find}, with any metadata and rules where the form has none. */
  lookUp(subject: string, form: StoredForm, includeDeleted: boolean): SchemaVersion | undefined {
    const same = this.find(subject, form, includeDeleted)
    if (same !== undefined || form.metadata !== undefined || form.ruleSet !== undefined) return same
    const { schemaType, schema, references } = form
    return this.#deps.state
      .versions(subject, { deleted: includeDeleted ? 'all' : 'active' })
      .filter((each) => each.schemaType === schemaType && each.schema === schema)
      .filter((each) => isDeepStrictEqual(each.references, references))
      .at(-1)
  }

  /**
   * Decides what a registration writes: nothing if the schema is a version of the subject already.
   * @throws {RegistryError} 40901, 42201, 42205, 42209
   */
  async decide(subject: string, given: SchemaRequest, normalize: boolean): Promise<Decision<SchemaVersion>> {
    const { state, settings } = this.#deps
    const request = this.withLatest(subject, given)
    settings.checkRegister(subject, request.id !== undefined)
    const form = this.storedForm(subject, request, normalize)
    const known = this.find(subject, form, false)
    const isKnown = request.version === undefined && (request.id === undefined || request.id === known?.id)
    if (known !== undefined && isKnown) return { records: [], answer: known }

    const id = this.#idFor(contextOf(subject), form, request.id)
    const all = state.versions(subject, { deleted: 'all' })
    const version = this.#versionFor(subject, (all.at(-1)?.version ?? 0) + 1, request.version)
    if (!settings.isImport(subject)) await this.#checkCompatible(subject, form)
    const { parsed: _parsed, guid: _guid, ...source } = form
    const value = { ...source, subject, version, id, deleted: false, others: {} }
    const record: RegistryRecord = { keytype: 'SCHEMA', subject, version, value }
    if (!isReadable(record)) throw refusals.schemaTooLarge()
    if (!state.hasRoomFor(subject, bytesOf(value))) {
      throw refusals.notPermitted('The registry holds as many schemas as it may')
    }
    return { records: [...this.#replaced(all, value), record], answer: value }
  }

  #idFor(context: string, form: StoredForm, wanted: number | undefined): number {
    const { state } = this.#deps
    if (wanted === undefined) {
      const same = state
        .withGuid(form.guid)
        .find(({ schemaType, subject }) => schemaType === form.schemaType && contextOf(subject) === context)
      return same?.id ?? state.highestId(context) + 1
    }
    const isTaken = state.withId(context, wanted).some((each) => schemaGuid(each) !== form.guid)
    if (isTaken) {
      throw refusals.notPermitted(`Overwrite new schema with id ${wanted} in context ${context} is not permitted.`)
    }
    return wanted
  }

  #versionFor(subject: string, next: number, wanted: number | undefined): number {
    const { state, settings } = this.#deps
    if (wanted === undefined || wanted === next) return next
    if (!settings.isImport(subject)) throw refusals.invalidSchema('Version is not one more than previous version')
    if (state.version(subject, wanted) !== undefined) {
      throw refusals.notPermitted(`Version ${wanted} of subject ${subject} exists already`)
    }
    return wanted
  }

  async #checkCompatible(subject: string, { parsed, schemaType }: StoredForm): Promise<void> {
    const { state, parser, settings } = this.#deps
    const level = settings.configInScope(subject).compatibilityLevel
    const previous = state.versions(subject)
    const reasons = await incompatibilities({ level, schemaType, schema: parsed, previous }, parser)
    if (reasons.length > 0) throw refusals.incompatible(subject, reasons)
  }

  /** Deleted versions of the same id go for good, unless something refers to them. */
  #replaced(all: readonly SchemaVersion[], { id, version }: SchemaVersion): RegistryRecord[] {
    return all
      .filter((each) => each.deleted && each.id === id && each.version < version)
      .filter((each) => this.#deps.state.referrers(each.subject, each.version).length === 0)
      .map((each) => ({ keytype: 'SCHEMA', subject: each.subject, version: each.version, value: null }))
  }
}

/** True where the record is within the limits with which it is read back. */
function isReadable(record: RegistryRecord): boolean {
  const { key, value } = encodeRecord(record)
  if (value !== null && Buffer.byteLength(value) > REGISTRY_LIMITS.recordBytes) return false
  try {
    decodeRecord(Buffer.from(key), value === null ? null : Buffer.from(value))
    return true
  } catch {
    return false
  }
}
