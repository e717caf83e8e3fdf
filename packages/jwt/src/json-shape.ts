const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c

/**
 * Whether a JSON text may be part of a token: not nested deeper than `maxDepth`, and no object in it names a member twice, of which
 * `JSON.parse` keeps the last one and other readers the first: what is judged must be the same for all (RFC 7515, section 4; RFC 7519,
 * section 4). `value` is what `JSON.parse` made of the text. One walk over the values is less work than a second pass over the text.
 */
export function hasTokenShape(text: string, value: unknown, maxDepth: number): boolean {
  const members = countMembers(value, maxDepth)
  return members !== TOO_DEEP && countColons(text) === members
}

/** Not a number of members, and stays so whatever is added. */
const TOO_DEEP = Number.POSITIVE_INFINITY

/** Colons outside of strings: one for each member that was written. */
function countColons(text: string): number {
  let colons = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (character === COLON) colons += 1
    else if (character === QUOTE) at = endOfString(text, at)
  }
  return colons
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  for (;;) {
    const character = text.charCodeAt(at)
    // NaN is the end of a text that is no JSON.
    if (character === QUOTE || Number.isNaN(character)) return at
    at += character === BACKSLASH ? 2 : 1
  }
}

/** The members of all objects in a value, as long as it has no more than so many levels. */
function countMembers(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (levels === 0) return TOO_DEEP
  let members = 0
  if (Array.isArray(value)) {
    for (const element of value) members += countMembers(element, levels - 1)
  } else {
    // Of what JSON.parse builds every property is its own.
    for (const name in value) members += 1 + countMembers((value as Record<string, unknown>)[name], levels - 1)
  }
  return members
}
