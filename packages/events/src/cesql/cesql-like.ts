import { CesqlError } from './cesql-values.ts'

/** In characters. Also the most steps for each character of a text. */
const LONGEST_PATTERN = 512

/** `_`: any one character. */
const ONE = -1
/** `%`: any number of characters, including none. */
const MANY = -2

/**
 * A LIKE pattern as a predicate. `\%` and `\_` stand for themselves. Never takes more than pattern × text steps, as attributes are not
 * trusted. `steps`: how often a character of the text may be looked at; only what follows a `%` is tried at more than one place.
 *
 * @throws {CesqlError} when the pattern has more than 512 characters
 */
export function likeMatcher(pattern: string) {
  const places = placesOf(codePointsOf(pattern))
  if (places.length > LONGEST_PATTERN) {
    throw new CesqlError('parse', `a LIKE pattern is longer than ${LONGEST_PATTERN} characters`)
  }
  const firstMany = places.indexOf(MANY)
  const steps = firstMany === -1 ? 1 : places.length - firstMany
  return { matches: (text: string) => matches(places, codePointsOf(text)), steps }
}

/** Numbers compare twice as fast as strings. */
function codePointsOf(text: string): number[] {
  const codePoints: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    const codePoint = text.codePointAt(at) ?? 0
    if (codePoint > 0xffff) at += 1
    codePoints.push(codePoint)
  }
  return codePoints
}

const BACKSLASH = 0x5c
const PERCENT = 0x25
const UNDERSCORE = 0x5f

function placesOf(pattern: readonly number[]): number[] {
  const places: number[] = []
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? 0
    const next = pattern[at + 1]
    if (character === BACKSLASH && (next === PERCENT || next === UNDERSCORE)) {
      places.push(next)
      at += 1
    } else if (character === PERCENT) places.push(MANY)
    else places.push(character === UNDERSCORE ? ONE : character)
  }
  return places
}

/** Greedy; goes back to the last `%` only. */
function matches(places: readonly number[], text: readonly number[]): boolean {
  let place = 0
  let at = 0
  let retryPlace = -1
  let retryAt = 0
  while (at < text.length) {
    const current = places[place]
    if (current === MANY) {
      place += 1
      retryPlace = place
      retryAt = at
    } else if (current !== undefined && (current === ONE || current === text[at])) {
      place += 1
      at += 1
    } else if (retryPlace >= 0) {
      retryAt += 1
      place = retryPlace
      at = retryAt
    } else return false
  }
  return places.slice(place).every((rest) => rest === MANY)
}
