import { InvalidSchemaError } from '../../errors.ts'
import { REGISTRY_LIMITS } from '../../limits.ts'

/** White space, comments, texts, words and numbers, signs. What begins a comment or text and does not end it is none of these. */
const TOKEN =
  /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)|("(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|[\w.+-]+|[^\s\w"'/])/y
const OPENING = '{[(<'
const CLOSING = '}])>'

/**
 * Protobuf's source in one form, without comments and with white space of our own, so that neither makes another schema.
 * @throws {InvalidSchemaError} when brackets do not match or are nested too deep
 */
export function canonicalProto(source: string): string {
  const lines: string[] = []
  /** Of the line that is being written, white space included. */
  let parts: string[] = []
  let before = ''
  let depth = 0
  let tokens = 0
  /** Levels of `{` alone: they begin lines. */
  let blocks = 0
  const end = () => {
    if (parts.length > 0) lines.push('  '.repeat(blocks) + parts.join(''))
    parts = []
  }
  for (const token of tokensOf(source)) {
    tokens += 1
    if (tokens > REGISTRY_LIMITS.protoTokens) {
      throw new InvalidSchemaError(
        `Invalid Protobuf: it must not have more than ${REGISTRY_LIMITS.protoTokens} words and signs`,
      )
    }
    if (OPENING.includes(token)) depth += 1
    if (CLOSING.includes(token)) depth -= 1
    if (depth < 0 || depth > REGISTRY_LIMITS.depth) {
      throw new InvalidSchemaError(
        `Invalid Protobuf: brackets do not match, or are deeper than ${REGISTRY_LIMITS.depth}`,
      )
    }
    if (token === '}') {
      end()
      blocks -= 1
    }
    if (token === ';' && before === '}') lines.push(`${lines.pop()};`)
    else parts.push((parts.length === 0 ? '' : separator(before, token)) + token)
    if (token === '{' || token === ';' || token === '}') end()
    if (token === '{') blocks += 1
    before = token
  }
  end()
  return `${lines.join('\n')}\n`
}

function* tokensOf(source: string): Generator<string> {
  TOKEN.lastIndex = 0
  let at = 0
  while (at < source.length) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(source)
    if (match === null) throw new InvalidSchemaError(`Invalid Protobuf: unexpected character at position ${at}`)
    at = TOKEN.lastIndex
    // Names that mean something to JavaScript's objects.
    if (match[1] === '__proto__') throw new InvalidSchemaError('Invalid Protobuf: __proto__ is not allowed as a name')
    if (match[1] !== undefined) yield match[1]
  }
}

function separator(before: string, token: string): string {
  if ('([<'.includes(before) || ';,)]>'.includes(token)) return ''
  if (before === ')' && token.startsWith('.')) return ''
  const isList = token === '<' || (token === '(' && before !== 'returns' && before !== 'option')
  return isList && /\w$/.test(before) ? '' : ' '
}
