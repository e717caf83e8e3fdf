import { visible } from '@taproom/core/lines'
import { HttpProblem } from '@taproom/service'

/** The rule for a member of a body or a parameter of a query. */
export interface Field<T> {
  /** Completes "expected …". */
  readonly expected: string
  /** Undefined when it is something else; what is not there is undefined, too. */
  read(value: unknown): T | undefined
  /** True when it may be left out. */
  readonly isOptional?: boolean
}

type Values<S> = { readonly [N in keyof S]: S[N] extends Field<infer T> ? T : never }

/** The same, but it may be left out. */
export function optional<T>(field: Field<T>): Field<T | undefined> {
  return { ...field, isOptional: true }
}

export function text({ max, min = 0 }: { readonly max: number; readonly min?: number }): Field<string> {
  return {
    expected: `a text of ${min > 0 ? `${min} to` : 'at most'} ${max} characters`,
    read: (value) => (typeof value === 'string' && value.length >= min && value.length <= max ? value : undefined),
  }
}

/** A number, or in a query its digits. */
export function whole(min: number, max: number): Field<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    read(value) {
      const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value
      return typeof number === 'number' && Number.isSafeInteger(number) && number >= min && number <= max
        ? number
        : undefined
    },
  }
}

/** Milliseconds since 1970, up to the last time that a `Date` can be. */
export const TIME: Field<number> = whole(0, 8.64e15)

export const flag: Field<boolean> = {
  expected: 'true or false',
  read: (value) => (typeof value === 'boolean' ? value : undefined),
}

export function oneOf<T extends string>(known: readonly T[]): Field<T> {
  return {
    expected: `one of ${known.join(', ')}`,
    read: (value) => known.find((each) => each === value),
  }
}

/** An object of texts, such as headers. */
export function texts({
  max,
  maxEntries,
}: {
  readonly max: number
  readonly maxEntries: number
}): Field<Readonly<Record<string, string>>> {
  return {
    expected: `an object of at most ${maxEntries} texts of at most ${max} characters`,
    read(value) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
      const entries: [string, unknown][] = Object.entries(value)
      const fits = (each: unknown) => typeof each === 'string' && each.length <= max
      if (entries.length > maxEntries || !entries.every(([, each]) => fits(each))) return undefined
      return value as Readonly<Record<string, string>>
    },
  }
}

/**
 * The members of an object by their names.
 * @throws {HttpProblem} 400 that names a member, its value and what was expected, also for one that is not known
 */
export function readFields<S extends Readonly<Record<string, Field<unknown>>>>(
  given: Readonly<Record<string, unknown>>,
  shape: S,
): Values<S> {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(shape, name))
  if (unknown !== undefined) {
    throw new HttpProblem(400, {
      detail: `${shown(unknown)} is unknown: expected ${Object.keys(shape).join(', ') || 'nothing'}`,
    })
  }
  const values = Object.entries(shape).map(([name, field]) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    const read = field.read(value)
    if (read !== undefined || (value === undefined && field.isOptional === true)) return [name, read]
    const problem = value === undefined ? 'is missing' : `is ${shown(value)}`
    throw new HttpProblem(400, { detail: `${name} ${problem}: expected ${field.expected}` })
  })
  return Object.fromEntries(values)
}

/** The same of a query; an empty parameter is none, and one that is given twice is 400, too. */
export function readQuery<S extends Readonly<Record<string, Field<unknown>>>>(
  query: URLSearchParams,
  shape: S,
): Values<S> {
  const given = [...query].filter(([, value]) => value !== '')
  const names = given.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    throw new HttpProblem(400, { detail: `${shown(twice)} is given more than once: expected one value` })
  return readFields(Object.fromEntries(given), shape)
}

function shown(value: unknown): string {
  return visible(JSON.stringify(value), 100)
}
