import { CesqlError } from './cesql-error.ts'

/** A longer pattern is refused, so that one text costs no more than this many steps for each of its characters. */
const LONGEST_PATTERN = 512

/** One place of a pattern: a literal character, `_` (any one) or `%` (any number, also none). */
type Place = { readonly literal: string } | 'one' | 'many'

/**
 * A LIKE pattern as a predicate. `\%` and `\_` stand for themselves. Takes at most pattern × text steps, whatever the
 * pattern: attributes come from strangers.
 *
 * @throws CesqlError for a pattern of more than 512 characters
 */
export function likeMatcher(pattern: string): (text: string) => boolean {
  const places = placesOf(pattern)
  if (places.length > LONGEST_PATTERN) {
    throw new CesqlError('parse', `a LIKE pattern is longer than ${LONGEST_PATTERN} characters`)
  }
  return (text) => matches(places, Array.from(text))
}

function placesOf(pattern: string): Place[] {
  const places: Place[] = []
  const characters = Array.from(pattern)
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? ''
    const next = characters[at + 1]
    if (character === '\\' && (next === '%' || next === '_')) {
      places.push({ literal: next })
      at += 1
    } else if (character === '%') places.push('many')
    else places.push(character === '_' ? 'one' : { literal: character })
  }
  return places
}

/** Greedy matching that only ever goes back to the last `%`. */
function matches(places: readonly Place[], text: readonly string[]): boolean {
  let place = 0
  let at = 0
  let retry: { readonly place: number; readonly at: number } | undefined
  while (at < text.length) {
    const current = places[place]
    if (current === 'many') {
      retry = { place: place + 1, at }
      place += 1
    } else if (current !== undefined && (current === 'one' || current.literal === text[at])) {
      place += 1
      at += 1
    } else if (retry !== undefined) {
      retry = { place: retry.place, at: retry.at + 1 }
      place = retry.place
      at = retry.at
    } else return false
  }
  return places.slice(place).every((rest) => rest === 'many')
}
