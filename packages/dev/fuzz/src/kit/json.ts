import type { Random } from './random.ts'
import { anyUnicode, count, hostileText, mutateText, word } from './text.ts'

/** Depth of small values. */
const DEPTH = 4
const NUMBERS: readonly string[] = [
  '0',
  '-0',
  '1',
  '-1',
  '1.5',
  '1e3',
  '1e309',
  '-1e309',
  '1E-400',
  '9007199254740993',
  '2147483648',
]

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
      return `[${Array.from({ length: count(random, 20_000) }, () => jsonValue(random, depth - 2)).join(',')}]`
  }
}

export function jsonString(random: Random): string {
  return JSON.stringify(random.chance(0.1) ? anyUnicode(random, count(random, 20_000)) : hostileText(random))
}

/** The text of a JSON object with members of random names. */
export function jsonObject(random: Random, depth = DEPTH): string {
  return objectOf(
    Array.from({ length: count(random, 10_000) }, () => {
      const name = random.chance(0.8) ? word(random) : hostileText(random)
      return [name, jsonValue(random, depth - 1)] as const
    }),
  )
}

/** The text of an object of these members, whose values are JSON text; a name may come twice. */
export function objectOf(members: readonly (readonly [name: string, json: string])[]): string {
  return `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`
}

/** Known members, each left out, right, or with a value of any kind; in any order, with unknown ones between. */
export function knownMembers(
  random: Random,
  members: Readonly<Record<string, readonly string[]>>,
): (readonly [name: string, json: string])[] {
  const chosen = Object.entries(members).flatMap(([name, values]): (readonly [string, string])[] => {
    const dice = random.next()
    if (dice < 0.05) return []
    if (dice < 0.12) return [[name, jsonValue(random, 2)]]
    if (dice < 0.14)
      return [
        [name, random.pick(values)],
        [name, jsonValue(random, 1)],
      ]
    return [[name, random.pick(values)]]
  })
  if (random.chance(0.2)) chosen.splice(random.below(chosen.length + 1), 0, [hostileText(random), jsonValue(random, 2)])
  return chosen
}

/** Mostly the text as it is, else with a few changes, after which it may not be JSON. */
export function perhapsBroken(random: Random, text: string): string {
  return random.chance(0.15) ? mutateText(random, text) : text
}
