import { HttpProblem } from '@taproom/service'

/** The range of Java's int. */
export const YEARS = { min: -(2 ** 31), max: 2 ** 31 - 1 }

/**
 * The `year` of a query string, if any. Read from the raw text: form decoding would turn the sign of `+1980` into a space.
 *
 * @throws {HttpProblem} when it is given twice or is not a 32-bit integer (status 400)
 */
export function parseYear(requestUrl: string): number | undefined {
  const values = queryValues(requestUrl, 'year')
  if (values.length > 1) throw badYear('year is given more than once')
  const [text] = values
  if (text === undefined) return undefined
  const year = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(year >= YEARS.min && year <= YEARS.max))
    throw badYear(`year must be an integer from ${YEARS.min} to ${YEARS.max}, for example year=1980`)
  return year
}

function queryValues(requestUrl: string, name: string): string[] {
  const start = requestUrl.indexOf('?')
  if (start === -1) return []
  return requestUrl
    .slice(start + 1)
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=')
      return equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
    })
    .filter(([key = '']) => decode(key) === name)
    .map(([, value = '']) => decode(value))
}

/** Invalid percent-encoding is taken literally. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function badYear(detail: string): HttpProblem {
  return new HttpProblem(400, { detail, members: { parameter: 'year' } })
}
