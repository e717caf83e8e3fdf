const STRING_OR_SPACE = /("(?:[^"\\]|\\.)*")|\s+/g

/** A text that is a JSON object or array, indented; undefined when it is none, or when that would change what it says, such as a long number. */
export function indented(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || JSON.stringify(value) !== text.replace(STRING_OR_SPACE, '$1')) return undefined
    return JSON.stringify(value, undefined, 2)
  } catch {
    return undefined
  }
}
