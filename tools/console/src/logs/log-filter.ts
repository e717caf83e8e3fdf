import type { LogLine } from '../api/services.ts'
import { type KeptLine, LEVELS, shownLine } from './kept-line.ts'

export interface LogFilter {
  readonly service?: string | undefined
  /** The least severe. */
  readonly level?: LogLine['level'] | undefined
  /** Somewhere in the line, in any case. */
  readonly text?: string | undefined
  readonly trace?: string | undefined
  /** The earliest time, in milliseconds since 1970. */
  readonly since?: number | undefined
  /** Lines are before this time. */
  readonly until?: number | undefined
  /** A line has all of these. */
  readonly fields?: readonly FieldFilter[]
  /** A line has none of these. */
  readonly excluded?: readonly FieldFilter[]
}

/** A field by its name, or the path to it with dots (`event.type`), and its value: a text, or the JSON of anything else. */
export interface FieldFilter {
  readonly name: string
  readonly value: string
}

/** The lines that a filter keeps. */
export function fitting(filter: LogFilter): (line: KeptLine) => boolean {
  const { service, level, text, trace, since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = filter
  const { fields = [], excluded = [] } = filter
  const least = level === undefined ? 0 : LEVELS.indexOf(level)
  // Searched for in the line's JSON, where characters may be escaped.
  const wanted = text === undefined ? undefined : JSON.stringify(text).slice(1, -1).toLowerCase()
  const isWanted = fields.map(fieldTest)
  const isExcluded = excluded.map(fieldTest)
  return (line) => {
    let shown: LogLine | undefined
    const parsed = () => (shown ??= shownLine(line))
    // The longest tests come last: to search the text, then to parse it.
    return (
      line.time >= since &&
      line.time < until &&
      line.severity >= least &&
      (service === undefined || line.service === service) &&
      (trace === undefined || line.trace === trace) &&
      (wanted === undefined || line.json.toLowerCase().includes(wanted)) &&
      isWanted.every((has) => has(line, parsed)) &&
      !isExcluded.some((has) => has(line, parsed))
    )
  }
}

/** Names that every writer of JSON writes as they are. */
const PLAIN_NAME = /^[A-Za-z_][\w-]*$/

/** Tests get the parsed line as a function, so that all fields parse it once. */
function fieldTest({ name, value }: FieldFilter): (line: KeptLine, parsed: () => LogLine) => boolean {
  const last = name.split('.').at(-1) ?? ''
  // Most lines do not have the name, and need no parsing. A whole name may have dots: `"http.route"`.
  const written = PLAIN_NAME.test(last) ? `${last}"` : ''
  return (line, parsed) => {
    if (name === 'service') return line.service === value
    if (name === 'level') return LEVELS[line.severity] === value
    if (!line.json.includes(written)) return false
    const found = fieldOf(parsed(), name)
    return found !== undefined && valueText(found) === value
  }
}

function fieldOf({ msg, traceId, spanId, fields }: LogLine, name: string): unknown {
  const all: Readonly<Record<string, unknown>> = { ...fields, msg, trace_id: traceId, span_id: spanId }
  if (Object.hasOwn(all, name)) return all[name]
  return name.split('.').reduce<unknown>((value, part) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, part)
    return isObject ? (value as Readonly<Record<string, unknown>>)[part] : undefined
  }, fields)
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
