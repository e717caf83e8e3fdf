import type { Env } from '@taproom/service'
import { variableOf } from '@taproom/system'
import { closestMatch } from 'leven'

/** A name in one's environment that may be meant for a service; shorter ones and those without `_` are close to too many. */
const NAME = /^(?=.*_)[A-Z][A-Z\d_]{5,99}$/
/** Letters that may differ: two of names that are long enough, as where two are swapped. */
const [MOST, MOST_OF_SHORT, LONG] = [2, 1, 10]

export interface MisspeltVariable {
  readonly name: string
  /** The variable that was probably meant. */
  readonly meant: string
}

/** Variables that nothing reads, and whose names are close to one that is read and not set. */
export function misspeltVariables(env: Env, known: Iterable<string>): readonly MisspeltVariable[] {
  const read = new Set([...known].map(variableOf))
  const unset = [...read].filter((name) => (env[name] ?? '') === '')
  return Object.keys(env).flatMap((name) => {
    if (!NAME.test(name) || read.has(name)) return []
    const meant = closestMatch(name, unset, { maxDistance: name.length < LONG ? MOST_OF_SHORT : MOST })
    return meant === undefined ? [] : { name, meant }
  })
}
