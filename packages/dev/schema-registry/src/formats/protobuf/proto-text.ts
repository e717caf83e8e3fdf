import { InvalidSchemaError } from '../../errors.ts'
import { REGISTRY_LIMITS } from '../../limits.ts'

/** White space, comments, texts, words and numbers, signs: each matches at most once from where it begins. */
const TOKEN =
  /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)|("(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|[\w.+-]+|[^\s\w])/y
const OPENING = '{[(<'
const CLOSING = '}])>'

/**
 * Protobuf's source in one form, without comments and with white space of our own, so that neither makes another schema.
 * @throws {InvalidSchemaError} when brackets do not match or are nested too deep
 */
export function canonicalProto(source: string): string {
  const lines: string[] = []
  let line = ''
  let depth = 0
  /** Levels of `{` alone: they begin lines. */
  let blocks = 0
  const end = () => {
    if (line !== '') lines.push('  '.repeat(blocks) + line)
    line = ''
  }
  for (const token of tokensOf(source)) {
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
    if (token === ';' && line === '' && lines.length > 0) {
      lines.push(`${lines.pop()};`)
      continue
    }
    line += separator(line, token) + token
    if (token === '{' || token === ';' || token === '}') end()
    if (token === '{') blocks += 1
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

function separator(line: string, token: string): string {
  const before = line.at(-1) ?? ''
  if (line === '' || '([<'.includes(before) || ';,)]>'.includes(token)) return ''
  if (before === ')' && token.startsWith('.')) return ''
  const isList = token === '<' || (token === '(' && !/\b(?:returns|option)$/.test(line))
  return isList && /\w/.test(before) ? '' : ' '
}
