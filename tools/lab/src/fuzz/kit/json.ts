import { type JsonLimits, parseJson } from '@taproom/core/limits'
import type { Random } from '../../harness/random.ts'
import { anyUnicode, count, hostileText, mutateText, several, word } from './text.ts'

/** Names of members, each with the texts of values that are right for it, or almost. */
export type KnownMembers = Readonly<Record<string, readonly string[]>>

/** A name, which may come twice in an object, and the text of its value. */
export type Member = readonly [name: string, json: string]

const DEPTH = 4
const NUMBERS = '0 -0 1 -1 1.5 1e3 1e309 -1e309 1E-400 9007199254740993 2147483648'.split(' ')

/** The text of any JSON value, mostly small. Sometimes a member comes twice, or has the name of an inherited one. */
export function jsonValue(random: Random, depth = DEPTH): string {
  switch (random.below(depth > 0 ? 8 : 5)) {
    case 0:
      return random.pick(['null', 'true', 'false'])
    case 1:
      return random.pick(NUMBERS)
    case 2:
      return String(random.below(2 ** 31))
    case 3:
    case 4:
      return jsonString(random)
    case 5:
    case 6:
      return jsonObject(random, depth - 1)
    default:
      return arrayOf(several(random, 20_000, () => jsonValue(random, depth - 2)))
  }
}

export function jsonString(random: Random): string {
  return JSON.stringify(random.chance(0.1) ? anyUnicode(random, count(random, 20_000)) : hostileText(random))
}

/** The text of a JSON object with members of random names. */
function jsonObject(random: Random, depth: number): string {
  return objectOf(
    several(random, 10_000, () => {
      const name = random.chance(0.8) ? word(random) : hostileText(random)
      return [name, jsonValue(random, depth - 1)]
    }),
  )
}

/** The text of an array of these JSON texts. */
export function arrayOf(items: readonly string[]): string {
  return `[${items.join(',')}]`
}

/** The text of an object of these members. */
export function objectOf(members: readonly Member[]): string {
  return `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`
}

/** Known members, each left out, right, or with a value of any kind; in any order, with unknown ones between. */
export function knownMembers(random: Random, members: KnownMembers): Member[] {
  const chosen = Object.entries(members).flatMap(([name, values]): Member[] => {
    const dice = random.next()
    if (dice < 0.05) return []
    if (dice < 0.12) return [[name, jsonValue(random, 2)]]
    const right: Member = [name, random.pick(values)]
    return dice < 0.14 ? [right, [name, jsonValue(random, 1)]] : [right]
  })
  if (random.chance(0.2)) chosen.splice(random.below(chosen.length + 1), 0, [hostileText(random), jsonValue(random, 2)])
  return chosen
}

/** The text of an object of {@link knownMembers}. */
export function knownObject(random: Random, members: KnownMembers): string {
  return objectOf(knownMembers(random, members))
}

/** Mostly the text as it is, else with a few changes, after which it may not be JSON. */
export function perhapsBroken(random: Random, text: string): string {
  return random.chance(0.15) ? mutateText(random, text) : text
}

/** The value, or an empty object for texts beyond the limits: every reader before those under test refuses them. */
export function withinLimits(json: string, limits: JsonLimits = {}): unknown {
  try {
    return parseJson(json, limits)
  } catch {
    return {}
  }
}
