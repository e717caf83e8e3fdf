import type { Variables } from '../app.ts'

/**
 * A text of a compose.yaml with its `$NAME`, `${NAME:-default}` and so on replaced, and `$$` as `$`. Undefined when it depends on a variable
 * that is neither among `set` nor has a default: the caller of Compose gives it.
 */
export function interpolated(text: string, set: Variables): string | undefined {
  let result = ''
  for (let at = 0; at < text.length; ) {
    if (text[at] !== '$') {
      result += text[at]
      at += 1
      continue
    }
    const end = endOf(text, at)
    const value = replacementOf(text.slice(at, end), set)
    if (value === undefined) return undefined
    result += value
    at = end
  }
  return result
}

/** Where the expression ends that begins with the `$` at an index. */
function endOf(text: string, start: number): number {
  if (text[start + 1] !== '{') return start + (/^\$(?:\$|[A-Za-z_]\w*)?/.exec(text.slice(start))?.[0].length ?? 1)
  let depth = 0
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return at + 1
  }
  return text.length
}

function replacementOf(expression: string, set: Variables): string | undefined {
  if (expression === '$' || expression === '$$') return '$'
  const [, name = '', ifEmpty, operator, other = ''] =
    /^\$\{?([A-Za-z_]\w*)(?:(:)?([-+?])([\s\S]*))?\}?$/.exec(expression.replace(/\}$/, '')) ?? []
  const value = set[name]
  const isSet = value !== undefined && (ifEmpty === undefined || value !== '')
  if (operator === '+') return isSet ? interpolated(other, set) : ''
  if (isSet) return value
  return operator === '-' ? interpolated(other, set) : undefined
}
