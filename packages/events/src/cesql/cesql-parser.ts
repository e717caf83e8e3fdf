import type { CloudEventV1 } from 'cloudevents'
import { attributeOf } from '../event-attribute.ts'
import { CESQL_FUNCTIONS } from './cesql-functions.ts'
import { likeMatcher } from './cesql-like.ts'
import { binaryOperator, PRECEDENCE } from './cesql-operators.ts'
import { type Token, tokensOf } from './cesql-tokens.ts'
import { CesqlError, fitsInteger, integerResult, toBoolean, toInteger, toTypeOf, type Value } from './cesql-values.ts'
import { FilterBudget } from './filter-budget.ts'

/** @throws {CesqlError} at the first error */
export type CesqlExpression = (event: CloudEventV1<unknown>) => Value

const KEYWORDS: ReadonlySet<string> = new Set(['AND', 'OR', 'XOR', 'NOT', 'LIKE', 'EXISTS', 'IN', 'TRUE', 'FALSE'])
const IDENTIFIER = /^[A-Za-z0-9]+$/
const FUNCTION_NAME = /^[A-Za-z][A-Za-z_]*$/
/** Levels of nesting; more could overflow the stack. */
const DEEPEST = 200
/** More of these could overflow the stack during evaluation. */
const MOST_OPERATORS = 1000
const MOST_ARGUMENTS = 100
/** Characters of the unexpected token, in an error. */
const LONGEST_SHOWN = 32
const LONGEST_EXPRESSION = 32 * 1024
/** A function reads all of its text. */
const STEPS_OF_FUNCTION = 10

/**
 * Parses a CESQL 1.0 expression. An expression with any error does not match as a filter (section 1.2), so evaluation throws at the first
 * one instead of collecting them.
 *
 * @throws {CesqlError} of kind `parse` when it is invalid, too long or too much work for each event; of kind `missingFunction` when no
 * function has this name and number of arguments
 */
export function parseCesql(expression: string, budget: FilterBudget = new FilterBudget()): CesqlExpression {
  if (expression.length > LONGEST_EXPRESSION) {
    throw new CesqlError('parse', `longer than ${LONGEST_EXPRESSION} characters`)
  }
  return new Parser(tokensOf(expression), budget).parse()
}

class Parser {
  readonly #tokens: readonly Token[]
  readonly #budget: FilterBudget
  #position = 0
  #depth = 0
  #operators = 0

  constructor(tokens: readonly Token[], budget: FilterBudget) {
    this.#tokens = tokens
    this.#budget = budget
  }

  parse(): CesqlExpression {
    const expression = this.#expression(0)
    if (this.#token.kind !== 'end') throw this.#unexpected()
    return expression
  }

  /** Precedence climbing; AND, OR and XOR share one level and associate to the right. */
  #expression(lowest: number): CesqlExpression {
    this.#depth += 1
    if (this.#depth > DEEPEST) throw new CesqlError('parse', `nested deeper than ${DEEPEST}`)
    let left = this.#postfix()
    for (;;) {
      const operator = this.#token.value.toUpperCase()
      const precedence = this.#token.kind === 'string' ? undefined : PRECEDENCE.get(operator)
      if (precedence === undefined || precedence < lowest) break
      this.#countOperator()
      this.#position += 1
      const right = this.#expression(precedence === 0 ? 0 : precedence + 1)
      left = binaryOperator(operator, left, right)
    }
    this.#depth -= 1
    return left
  }

  #countOperator(): void {
    this.#operators += 1
    if (this.#operators > MOST_OPERATORS) throw new CesqlError('parse', `more than ${MOST_OPERATORS} operators`)
  }

  #postfix(): CesqlExpression {
    let operand = this.#unary()
    for (;;) {
      const isNegated = this.#is('NOT') && (this.#is('LIKE', 1) || this.#is('IN', 1))
      if (isNegated) this.#position += 1
      let test: (event: CloudEventV1<unknown>) => boolean
      if (this.#takeIf('LIKE')) test = this.#like(operand)
      else if (this.#takeIf('IN')) test = this.#in(operand)
      else return operand
      this.#countOperator()
      operand = isNegated ? (event) => !test(event) : test
    }
  }

  #like(operand: CesqlExpression): (event: CloudEventV1<unknown>) => boolean {
    const pattern = this.#take('string')
    const { matches, steps } = likeMatcher(pattern)
    this.#budget.countSteps(steps)
    return (event) => matches(String(operand(event)))
  }

  #in(operand: CesqlExpression): (event: CloudEventV1<unknown>) => boolean {
    this.#takeSymbol('(')
    const elements = this.#list()
    if (elements.length === 0) throw this.#unexpected()
    return (event) => {
      const value = operand(event)
      return elements.some((element) => toTypeOf(value, element(event)) === value)
    }
  }

  #unary(): CesqlExpression {
    const sign = this.#token.kind === 'symbol' ? this.#token.value : ''
    if ((sign === '-' || sign === '+') && this.#tokens[this.#position + 1]?.kind === 'integer') {
      this.#position += 1
      return this.#integer(sign)
    }
    if (sign !== '-' && !this.#is('NOT')) return this.#primary()
    this.#position += 1
    this.#depth += 1
    if (this.#depth > DEEPEST) throw new CesqlError('parse', `nested deeper than ${DEEPEST}`)
    const operand = this.#unary()
    this.#depth -= 1
    return sign === '-' ? (event) => integerResult(-toInteger(operand(event))) : (event) => !toBoolean(operand(event))
  }

  #primary(): CesqlExpression {
    const token = this.#token
    if (token.kind === 'string') {
      this.#position += 1
      return () => token.value
    }
    if (token.kind === 'integer') return this.#integer('')
    if (this.#takeIf('(')) {
      const inner = this.#expression(0)
      this.#takeSymbol(')')
      return inner
    }
    if (this.#takeIf('TRUE')) return () => true
    if (this.#takeIf('FALSE')) return () => false
    if (this.#takeIf('EXISTS')) {
      const name = this.#identifier()
      return (event) => attributeOf(event, name) !== undefined
    }
    if (token.kind === 'word' && this.#is('(', 1)) return this.#call()
    const name = this.#identifier()
    return (event) => {
      const value = attributeOf(event, name)
      if (value === undefined) throw new CesqlError('missingAttribute', `the event has no ${name}`)
      return value
    }
  }

  #call(): CesqlExpression {
    const written = this.#take('word')
    if (KEYWORDS.has(written.toUpperCase()) || !FUNCTION_NAME.test(written)) throw this.#unexpected()
    this.#takeSymbol('(')
    const args = this.#list()
    if (args.length > MOST_ARGUMENTS) throw new CesqlError('parse', `more than ${MOST_ARGUMENTS} arguments`)
    const found = CESQL_FUNCTIONS.get(written.toUpperCase())
    if (found === undefined || args.length < found.least || args.length > found.most) {
      throw new CesqlError(
        'missingFunction',
        `there is no function ${written.slice(0, LONGEST_SHOWN)} of ${args.length} arguments`,
      )
    }
    this.#budget.countSteps(STEPS_OF_FUNCTION)
    return (event) => found.call(...args.map((argument) => argument(event)))
  }

  /** Expressions up to the closing parenthesis, which is read too. */
  #list(): CesqlExpression[] {
    const expressions: CesqlExpression[] = []
    if (this.#takeIf(')')) return expressions
    do expressions.push(this.#expression(0))
    while (this.#takeIf(','))
    this.#takeSymbol(')')
    return expressions
  }

  #integer(sign: string): CesqlExpression {
    const value = Number(sign + this.#take('integer'))
    if (!fitsInteger(value)) throw new CesqlError('parse', 'an integer is out of the 32-bit range')
    return () => value
  }

  /** Lower-cased: the conformance tests take names in any case. */
  #identifier(): string {
    const { value } = this.#token
    if (KEYWORDS.has(value.toUpperCase()) || !IDENTIFIER.test(value)) throw this.#unexpected()
    return this.#take('word').toLowerCase()
  }

  get #token(): Token {
    return this.#tokens[this.#position] ?? { at: 0, kind: 'end', value: '' }
  }

  /** True when a token is this word, in any case, or this symbol. */
  #is(text: string, ahead = 0): boolean {
    const token = this.#tokens[this.#position + ahead]
    return token !== undefined && token.kind !== 'string' && token.value.toUpperCase() === text
  }

  #takeIf(text: string): boolean {
    if (!this.#is(text)) return false
    this.#position += 1
    return true
  }

  #take(kind: Token['kind']): string {
    const token = this.#token
    if (token.kind !== kind) throw this.#unexpected()
    this.#position += 1
    return token.value
  }

  #takeSymbol(symbol: string): void {
    if (!this.#takeIf(symbol)) throw this.#unexpected()
  }

  #unexpected(): CesqlError {
    const { kind, value, at } = this.#token
    return new CesqlError(
      'parse',
      kind === 'end' ? 'it ends too early' : `unexpected ${value.slice(0, LONGEST_SHOWN)} at ${at}`,
    )
  }
}
