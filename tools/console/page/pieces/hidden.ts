const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
const SHORT: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** A text on one line: characters that have no shape or turn text around become escapes, as in the log. */
export function visible(text: string): string {
  return text.replace(HIDDEN, escaped)
}

/** The same of several lines: ends of lines and tabs stay. */
export function visibleLines(text: string): string {
  return text.replace(HIDDEN, (found) => (found === '\n' || found === '\t' ? found : escaped(found)))
}

function escaped(found: string): string {
  const units = Array.from({ length: found.length }, (_, index) => found.charCodeAt(index))
  return SHORT[found] ?? units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
