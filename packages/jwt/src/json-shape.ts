import { endOfString } from '@taproom/limits'

const QUOTE = 0x22
const COLON = 0x3a

/**
 * Whether a JSON text may be part of a token: not nested deeper than `maxDepth`, and no object repeats a member (RFC 7515, section 4; RFC 7519,
 * section 4), because `JSON.parse` keeps the last and other parsers the first. `value` is the parsed text: one walk over the values is
 * less work than a second pass over the text.
 */
export function hasTokenShape(text: string, value: unknown, maxDepth: number): boolean {
  const members = countMembers(value, maxDepth)
  return members !== TOO_DEEP && countColons(text) === members
}

/** Stays infinite whatever is added. */
const TOO_DEEP = Number.POSITIVE_INFINITY

/** Colons outside of strings: one for each member in the text. */
function countColons(text: string): number {
  let colons = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (character === COLON) colons += 1
    else if (character === QUOTE) at = endOfString(text, at)
  }
  return colons
}

/** The number of members of all objects in a value, `TOO_DEEP` if it has more than `levels` levels. */
function countMembers(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (levels === 0) return TOO_DEEP
  let members = 0
  if (Array.isArray(value)) {
    for (const element of value) members += countMembers(element, levels - 1)
  } else {
    // Objects from JSON.parse have no inherited enumerable properties.
    for (const name in value) members += 1 + countMembers((value as Record<string, unknown>)[name], levels - 1)
  }
  return members
}
