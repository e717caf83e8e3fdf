import { CesqlError } from './cesql-values.ts'

export interface Token {
  readonly at: number
  readonly kind: 'string' | 'integer' | 'word' | 'symbol' | 'end'
  /** Without its quotes; empty at the end. */
  readonly value: string
}

const SPACE = /[ \t\r\n]*/y
const TOKEN =
  /(?<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<integer>\d+(?![A-Za-z_]))|(?<word>[A-Za-z0-9_]+)|(?<symbol><>|!=|>=|<=|[=<>()+\-*/%,])/sy

/** Splits an expression into tokens, the last one of kind `end`. */
export function tokensOf(expression: string): Token[] {
  const tokens: Token[] = []
  let at = endOf(SPACE, expression, 0)
  while (at < expression.length) {
    TOKEN.lastIndex = at
    const groups = TOKEN.exec(expression)?.groups
    if (groups === undefined) throw new CesqlError('parse', `unexpected ${expression.charAt(at)} at ${at}`)
    const { string, integer, word, symbol } = groups
    if (string !== undefined) tokens.push({ at, kind: 'string', value: unquoted(string) })
    else if (integer !== undefined) tokens.push({ at, kind: 'integer', value: integer })
    else if (word !== undefined) tokens.push({ at, kind: 'word', value: word })
    else if (symbol !== undefined) tokens.push({ at, kind: 'symbol', value: symbol })
    at = endOf(SPACE, expression, TOKEN.lastIndex)
  }
  return [...tokens, { at, kind: 'end', value: '' }]
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  pattern.test(text)
  return pattern.lastIndex
}

/** Undoes the delimiter's escape only: LIKE reads the others. */
function unquoted(literal: string): string {
  const quote = literal.charAt(0)
  return literal.slice(1, -1).replaceAll(`\\${quote}`, quote)
}
