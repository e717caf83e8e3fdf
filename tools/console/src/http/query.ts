import { HttpProblem } from '@taproom/service'

/**
 * A whole number of a query; `default` when it is not there.
 *
 * @throws {HttpProblem} 400 when it is none within `min` and `max`, both included
 */
export function wholeNumber(
  query: URLSearchParams,
  name: string,
  { default: absent, min, max }: { readonly default: number; readonly min: number; readonly max: number },
): number {
  const text = query.get(name)
  if (text === null || text === '') return absent
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  throw new HttpProblem(400, { detail: `${name} "${text}": expected a whole number from ${min} to ${max}` })
}
