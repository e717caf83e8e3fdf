import { setImmediate as nextTurn } from 'node:timers/promises'
import { asRefusal } from '../errors.ts'
import type { ParsedSchema } from '../formats/schema-format.ts'
import type { SchemaVersion } from '../store/records.ts'
import type { SchemaParser } from './schema-parser.ts'

const LEVELS = [
  'NONE',
  'BACKWARD',
  'BACKWARD_TRANSITIVE',
  'FORWARD',
  'FORWARD_TRANSITIVE',
  'FULL',
  'FULL_TRANSITIVE',
] as const

/** What a new version of a subject must be able to read, and by what it must be readable. */
export type CompatibilityLevel = (typeof LEVELS)[number]

/** In any case; undefined if it is none. */
export function compatibilityLevel(name: unknown): CompatibilityLevel | undefined {
  const wanted = typeof name === 'string' ? name.toUpperCase() : undefined
  return LEVELS.find((level) => level === wanted)
}

export interface CompatibilityCheck {
  readonly level: CompatibilityLevel
  readonly schemaType: string
  readonly schema: ParsedSchema
  /** From the oldest to the latest. */
  readonly previous: readonly SchemaVersion[]
}

/**
 * Why a schema may not be the next version; empty if it may. Other requests have their turn between two comparisons.
 * @throws {RegistryError} 42201 when the schemas cannot be compared
 */
export async function incompatibilities(check: CompatibilityCheck, parser: SchemaParser): Promise<readonly string[]> {
  const { level, schemaType, schema } = check
  if (level === 'NONE') return []
  const previous = level.endsWith('_TRANSITIVE') ? check.previous.toReversed() : check.previous.slice(-1)
  for (const each of previous) {
    const reasons =
      each.schemaType === schemaType ? compare(level, schema, parser.parse(each.subject, each)) : [OTHER_TYPE]
    if (reasons.length > 0) {
      return [...reasons, `{oldSchemaVersion: ${each.version}}`, `{compatibility: '${level}'}`]
    }
    await nextTurn()
  }
  return []
}

const OTHER_TYPE = 'Incompatible because of different schema type'

function compare(level: CompatibilityLevel, schema: ParsedSchema, previous: ParsedSchema): readonly string[] {
  try {
    return [
      ...(level.startsWith('FORWARD') ? [] : schema.unreadable(previous)),
      ...(level.startsWith('BACKWARD') ? [] : previous.unreadable(schema)),
    ]
  } catch (error) {
    throw asRefusal(error)
  }
}
