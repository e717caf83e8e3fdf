import type { CloudEventV1 } from 'cloudevents'
import { CesqlError, integerResult, toBoolean, toInteger, toTypeOf, type Value } from './cesql-values.ts'

type Operand = (event: CloudEventV1<unknown>) => Value

const COMPARISONS: Readonly<Record<string, (x: number, y: number) => boolean>> = {
  '<': (x, y) => x < y,
  '<=': (x, y) => x <= y,
  '>': (x, y) => x > y,
  '>=': (x, y) => x >= y,
}
const ARITHMETIC: Readonly<Record<string, (x: number, y: number) => number>> = {
  '+': (x, y) => x + y,
  '-': (x, y) => x - y,
  '*': (x, y) => x * y,
  '/': (x, y) => Math.trunc(x / nonZero(y)),
  '%': (x, y) => x % nonZero(y),
}

/** Higher binds tighter. */
export const PRECEDENCE: ReadonlyMap<string, number> = new Map([
  ...['AND', 'OR', 'XOR'].map((operator) => [operator, 0] as const),
  ...['=', '!=', '<>', ...Object.keys(COMPARISONS)].map((operator) => [operator, 1] as const),
  ...['+', '-'].map((operator) => [operator, 2] as const),
  ...['*', '/', '%'].map((operator) => [operator, 3] as const),
])

/** The expression `left operator right`, with the casts of CESQL 1.0, section 3.7. */
export function binaryOperator(operator: string, left: Operand, right: Operand): Operand {
  const compare = COMPARISONS[operator]
  if (compare !== undefined) return (event) => compare(toInteger(left(event)), toInteger(right(event)))
  const compute = ARITHMETIC[operator]
  if (compute !== undefined) {
    return (event) => integerResult(compute(toInteger(left(event)), toInteger(right(event))))
  }
  switch (operator) {
    case 'AND':
      return (event) => toBoolean(left(event)) && toBoolean(right(event))
    case 'OR':
      return (event) => toBoolean(left(event)) || toBoolean(right(event))
    case 'XOR':
      return (event) => toBoolean(left(event)) !== toBoolean(right(event))
    case '=':
      return (event) => isEqual(left(event), right(event))
    default:
      return (event) => !isEqual(left(event), right(event))
  }
}

/** Compares in the right operand's type. */
function isEqual(x: Value, y: Value): boolean {
  return toTypeOf(y, x) === y
}

function nonZero(value: number): number {
  if (value === 0) throw new CesqlError('math', 'a division by zero')
  return value
}
