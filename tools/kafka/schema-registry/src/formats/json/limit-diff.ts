import type { JsonObject } from '@taproom/core/limits'
import { difference } from '../schema-format.ts'
import type { Differences } from './comparer.ts'

/** Limits may be removed and widened, but neither added nor narrowed. */
export function compareLimits(
  before: JsonObject,
  after: JsonObject,
  names: readonly string[],
  path: string,
): Differences {
  return names.flatMap((name) => {
    const [known, allowed] = [before[name], after[name]]
    if (typeof allowed !== 'number' || known === allowed) return []
    const isTop = /^max|Max/.test(name)
    const isWidened = typeof known === 'number' && (isTop ? allowed > known : allowed < known)
    if (isWidened) return []
    const change = typeof known !== 'number' ? 'ADDED' : isTop ? 'DECREASED' : 'INCREASED'
    return [difference(`${constant(name)}_${change}`, `${path}/${name}`)]
  })
}

export function compareStrings(before: JsonObject, after: JsonObject, path: string): Differences {
  const limits = compareLimits(before, after, ['maxLength', 'minLength'], path)
  const [known, allowed] = [before['pattern'], after['pattern']]
  if (allowed === undefined || known === allowed) return limits
  return [...limits, difference(known === undefined ? 'PATTERN_ADDED' : 'PATTERN_CHANGED', `${path}/pattern`)]
}

interface NumberModel {
  readonly json: JsonObject
  readonly isInteger: boolean
}

export function compareNumbers(before: NumberModel, after: NumberModel, path: string): Differences {
  const limits = ['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum']
  return [
    ...compareLimits(before.json, after.json, limits, path),
    ...compareMultiples(before.json['multipleOf'], after.json['multipleOf'], path),
    ...(after.isInteger && !before.isInteger ? [difference('TYPE_NARROWED', path)] : []),
  ]
}

function compareMultiples(known: unknown, allowed: unknown, path: string): Differences {
  if (typeof allowed !== 'number' || known === allowed) return []
  const where = `${path}/multipleOf`
  if (typeof known !== 'number') return [difference('MULTIPLE_OF_ADDED', where)]
  if (isMultiple(known, allowed)) return []
  return [difference(isMultiple(allowed, known) ? 'MULTIPLE_OF_EXPANDED' : 'MULTIPLE_OF_CHANGED', where)]
}

/** Decimal fractions such as 0.3 and 0.1 are no exact multiples in binary. */
function isMultiple(of: number, divisor: number): boolean {
  const quotient = of / divisor
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient))
}

function constant(name: string): string {
  return name.replace(/[A-Z]/g, '_$&').toUpperCase()
}
