/** Characters that stand for themselves in a regular expression, between `^` and `$`. */
const PLAIN = /^(\^?)([\w /:;,@#%&=!~'"<>-]*)(\$?)$/

/**
 * Whether a pattern matches a name; undefined if it is more than a text with `^` before or `$` behind it. Patterns come from outside, and some
 * take for ever: they are never run.
 */
export function plainMatch(pattern: string, name: string): boolean | undefined {
  const [, begin, text, end] = PLAIN.exec(pattern) ?? []
  if (text === undefined) return undefined
  if (begin && end) return name === text
  return begin ? name.startsWith(text) : end ? name.endsWith(text) : name.includes(text)
}
