import { HttpProblem } from '@taproom/service'
import { wholeNumber } from '../http/query.ts'
import { LEVELS } from './kept-line.ts'
import type { FieldFilter, LogFilter } from './log-filter.ts'

/** Fields that a line must have or must not have. */
const MAX_FIELDS = 20
/** A text, or a field with its value; the head of a request has 16 KiB in all. */
const MAX_CHARACTERS = 4000
const MAX_TIME = 999_999_999_999_999

/**
 * The filter that a query has: `service`, `level`, `text`, `trace`, `from` and `to`; `field` and `exclude` once or several times.
 *
 * @throws {HttpProblem} 400 that names a parameter whose value cannot be
 */
export function readLogFilter(query: URLSearchParams): LogFilter {
  const level = query.get('level') || undefined
  const known = LEVELS.find((name) => name === level)
  if (level !== undefined && known === undefined) {
    throw new HttpProblem(400, { detail: `level "${level}": expected one of ${LEVELS.join(', ')}` })
  }
  const [since, until] = [timeIn(query, 'from'), timeIn(query, 'to')]
  if (since !== undefined && until !== undefined && since >= until) {
    throw new HttpProblem(400, { detail: `to "${until}": expected a time after from, which is ${since}` })
  }
  return {
    level: known,
    service: query.get('service') || undefined,
    text: bounded('text', query.get('text') ?? '') || undefined,
    trace: query.get('trace') || undefined,
    ...{ since, until, fields: fieldsIn(query, 'field'), excluded: fieldsIn(query, 'exclude') },
  }
}

function timeIn(query: URLSearchParams, name: string): number | undefined {
  if (!query.get(name)) return undefined
  return wholeNumber(query, name, { default: 0, min: 0, max: MAX_TIME })
}

function fieldsIn(query: URLSearchParams, parameter: string): readonly FieldFilter[] {
  const given = query.getAll(parameter).filter((text) => text !== '')
  if (given.length > MAX_FIELDS) {
    throw new HttpProblem(400, { detail: `${parameter}: expected at most ${MAX_FIELDS}, got ${given.length}` })
  }
  return given.map((text) => {
    const end = bounded(parameter, text).indexOf('=')
    if (end < 1) throw new HttpProblem(400, { detail: `${parameter} "${text}": expected NAME=VALUE` })
    return { name: text.slice(0, end), value: text.slice(end + 1) }
  })
}

function bounded(parameter: string, text: string): string {
  if (text.length <= MAX_CHARACTERS) return text
  throw new HttpProblem(400, {
    detail: `${parameter}: expected at most ${MAX_CHARACTERS} characters, got ${text.length}`,
  })
}
