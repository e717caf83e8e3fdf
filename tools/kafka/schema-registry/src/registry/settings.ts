import type { JsonObject } from '@taproom/core/limits'
import { refusals } from '../errors.ts'
import type { RegistryState } from '../store/registry-state.ts'
import { contextOf, inContext } from '../store/subject-name.ts'
import { type CompatibilityLevel, compatibilityLevel } from './compatibility.ts'

const MODES = ['READWRITE', 'READONLY', 'READONLY_OVERRIDE', 'IMPORT', 'FORWARD'] as const
export type Mode = (typeof MODES)[number]

/** Configuration as it is answered. */
export interface Config {
  readonly compatibilityLevel: CompatibilityLevel
  readonly normalize?: boolean
}

/** In any case; undefined if it is none. */
export function modeOf(name: unknown): Mode | undefined {
  const wanted = typeof name === 'string' ? name.toUpperCase() : undefined
  return MODES.find((mode) => mode === wanted)
}

/** Compatibility and mode, of the registry (subject null), and of contexts (`:.beers:`) and subjects that have their own. */
export class Settings {
  readonly #state: RegistryState

  constructor(state: RegistryState) {
    this.#state = state
  }

  /** Its own; the registry's is BACKWARD until it is set. */
  config(subject: string | null): Config | undefined {
    const own = this.#state.setting('CONFIG', subject)
    if (own === undefined) return subject === null ? { compatibilityLevel: 'BACKWARD' } : undefined
    return configOf(own, subject === null ? 'BACKWARD' : this.configInScope(null).compatibilityLevel)
  }

  configInScope(subject: string | null): Config {
    return (
      this.config(subject) ??
      this.config(contextScope(subject)) ??
      this.config(null) ?? { compatibilityLevel: 'BACKWARD' }
    )
  }

  /** Its own; the registry's is READWRITE until it is set. */
  mode(subject: string | null): Mode | undefined {
    const own = modeOf(this.#state.setting('MODE', subject)?.['mode'])
    return own ?? (subject === null ? 'READWRITE' : undefined)
  }

  modeInScope(subject: string | null): Mode {
    const global = this.mode(null) ?? 'READWRITE'
    return global === 'READONLY_OVERRIDE' ? global : (this.mode(subject) ?? this.mode(contextScope(subject)) ?? global)
  }

  /** @throws {RegistryError} 42205 in a mode in which nothing is written */
  refuseReadOnly(subject: string | null): void {
    if (this.modeInScope(subject).startsWith('READONLY')) {
      throw refusals.notPermitted(`Subject ${subject} in context ${contextOf(subject ?? '')} is in read-only mode`)
    }
  }

  /** @throws {RegistryError} 42205 unless this mode lets a schema be registered, with an id of its own or without */
  checkRegister(subject: string, hasId: boolean): void {
    this.refuseReadOnly(subject)
    const isImport = this.isImport(subject)
    const where = `Subject ${subject} in context ${contextOf(subject)}`
    if (hasId && !isImport) throw refusals.notPermitted(`${where} is not in import mode`)
    if (!hasId && isImport) throw refusals.notPermitted(`${where} is not in read-write mode`)
  }

  isImport(subject: string): boolean {
    return ['IMPORT', 'FORWARD'].includes(this.modeInScope(subject))
  }
}

/** The context of a subject as settings name it; null for the default one, whose settings are the registry's. */
function contextScope(subject: string | null): string | null {
  return inContext(contextOf(subject ?? ''), '') || null
}

function configOf(own: JsonObject, otherwise: CompatibilityLevel): Config {
  const { normalize } = own
  return {
    compatibilityLevel: compatibilityLevel(own['compatibilityLevel']) ?? otherwise,
    ...(typeof normalize === 'boolean' && { normalize }),
  }
}
