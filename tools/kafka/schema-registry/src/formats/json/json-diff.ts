import { isDeepStrictEqual } from 'node:util'
import { InvalidSchemaError } from '../../errors.ts'
import { REGISTRY_LIMITS } from '../../limits.ts'
import { difference } from '../schema-format.ts'
import { compareArrays } from './array-diff.ts'
import { compareCombined } from './combined-diff.ts'
import type { Comparer, Differences } from './comparer.ts'
import type { JsonModel, Part } from './json-model.ts'
import { compareNumbers, compareStrings } from './limit-diff.ts'
import { compareObjects } from './object-diff.ts'

/** Far fewer than would overflow the stack: a chain of `$ref`s may be longer than its schema is deep. */
const MOST_DEPTH = 500

/**
 * What makes a reader of `update` refuse what `original` allowed, by the rules that Confluent documents for JSON Schema (compatibility policy
 * STRICT). Patterns are compared as texts and never run.
 */
export class JsonDiff implements Comparer {
  /** What is being compared: a schema that contains itself is as compatible as the rest of it. */
  readonly #known = new Map<unknown, Map<unknown, Differences>>()
  #comparisons = 0
  #depth = 0

  /** @throws {InvalidSchemaError} when there are too many parts to compare */
  compare(original: Part | undefined, update: Part | undefined, path: string): Differences {
    if (update === undefined) return []
    if (original === undefined) return [difference('SCHEMA_ADDED', path)]
    this.#comparisons += 1
    if (this.#comparisons > REGISTRY_LIMITS.comparisons) {
      throw new InvalidSchemaError('the schemas have too many parts to be compared')
    }
    const known = this.#known.get(original.schema) ?? new Map<unknown, Differences>()
    this.#known.set(original.schema, known)
    const before = known.get(update.schema)
    if (before !== undefined) return before
    known.set(update.schema, [])
    this.#depth += 1
    if (this.#depth > MOST_DEPTH) throw new InvalidSchemaError('the schemas are nested too deep to be compared')
    const differences = this.#compareModels(original, update, path)
    this.#depth -= 1
    known.set(update.schema, differences)
    return differences
  }

  isCompatible(original: Part, update: Part, path: string): boolean {
    return this.compare(original, update, path).length === 0
  }

  #compareModels(original: Part, update: Part, path: string): Differences {
    const before = original.model()
    const after = update.model()
    if (this.#isOneOfThem(original, before, update, after, path)) return []
    if (before.kind !== after.kind) {
      return before.kind === 'never' || after.kind === 'any' ? [] : [difference('TYPE_CHANGED', path)]
    }
    return this.#compareKind(before, after, path)
  }

  /** Whether an alternative of the new schema takes all that the old one did, or a condition of the old one is all that is left. */
  #isOneOfThem(original: Part, before: JsonModel, update: Part, after: JsonModel, path: string): boolean {
    if (before.kind !== 'combined' && after.kind === 'combined') {
      const isChoice = after.criterion !== 'allOf' || after.parts.length === 1
      return isChoice && after.parts.some((part) => this.isCompatible(original, part, path))
    }
    if (before.kind === 'combined' && after.kind !== 'combined') {
      const isCondition = before.criterion === 'allOf' || before.parts.length === 1
      return isCondition && before.parts.some((part) => this.isCompatible(part, update, path))
    }
    return false
  }

  #compareKind(before: JsonModel, after: JsonModel, path: string): Differences {
    if (before.kind === 'combined' && after.kind === 'combined') return compareCombined(this, before, after, path)
    if (before.kind === 'object' && after.kind === 'object') return compareObjects(this, before, after, path)
    if (before.kind === 'array' && after.kind === 'array') return compareArrays(this, before, after, path)
    if (before.kind === 'string' && after.kind === 'string') return compareStrings(before.json, after.json, path)
    if (before.kind === 'number' && after.kind === 'number') return compareNumbers(before, after, path)
    if (before.kind === 'enum' && after.kind === 'enum') return compareEnums(before.values, after.values, path)
    if (before.kind === 'const' && after.kind === 'const') {
      return isDeepStrictEqual(before.value, after.value) ? [] : [difference('ENUM_ARRAY_CHANGED', `${path}/const`)]
    }
    if (before.kind === 'not' && after.kind === 'not') {
      const isNarrowed = this.isCompatible(after.not, before.not, `${path}/not`)
      return isNarrowed ? [] : [difference('NOT_TYPE_EXTENDED', `${path}/not`)]
    }
    return []
  }
}

function compareEnums(before: readonly unknown[], after: readonly unknown[], path: string): Differences {
  const [known, allowed] = [before, after].map((values) => new Set(values.map((value) => JSON.stringify(value))))
  if (known === undefined || allowed === undefined || known.isSubsetOf(allowed)) return []
  const type = allowed.isSubsetOf(known) ? 'ENUM_ARRAY_NARROWED' : 'ENUM_ARRAY_CHANGED'
  return [difference(type, `${path}/enum`)]
}
