/** One value inside a JSON text and where its own text lies. */
export interface JsonSpan {
  /** The member's name in an object, '' in an array. */
  readonly key: string
  readonly start: number
  readonly end: number
}

/**
 * Where each top-level member or element of a JSON object or array lies, repeated keys included, so that a value can be
 * passed on exactly as it was written. `text` must be valid JSON (have gone through `JSON.parse`).
 */
export function topLevelSpans(text: string): JsonSpan[] {
  const spans: JsonSpan[] = []
  let at = skipSpace(text, 0)
  const isObject = text[at] === '{'
  at = skipSpace(text, at + 1)
  while (at < text.length && text[at] !== '}' && text[at] !== ']') {
    let key = ''
    if (isObject) {
      const keyEnd = endOfString(text, at)
      key = JSON.parse(text.slice(at, keyEnd)) as string
      at = skipSpace(text, skipSpace(text, keyEnd) + 1)
    }
    const end = endOfValue(text, at)
    spans.push({ key, start: at, end })
    at = skipSpace(text, end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return spans
}

function endOfValue(text: string, start: number): number {
  const first = text[start]
  if (first === '"') return endOfString(text, start)
  if (first !== '{' && first !== '[') return endOfScalar(text, start)
  let depth = 0
  let at = start
  while (at < text.length) {
    const character = text[at]
    if (character === '"') {
      at = endOfString(text, at)
      continue
    }
    at += 1
    if (character === '{' || character === '[') depth += 1
    else if ((character === '}' || character === ']') && --depth === 0) return at
  }
  return at
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function endOfScalar(text: string, start: number): number {
  let at = start
  while (at < text.length && !',]} \t\r\n'.includes(text.charAt(at))) at += 1
  return at
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1
  return at
}
