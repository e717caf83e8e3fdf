import { parseJson } from '../limits/index.ts'
import { safeJson } from './hidden-characters.ts'
import { isCut } from './line-splitter.ts'

/** One line that a service wrote, as fields. */
export interface ServiceLine {
  /** The line's own `service` member, else the name of the process. */
  readonly service: string
  readonly fields: Readonly<Record<string, unknown>>
  /** The line as one JSON object with a `service` member; the service's own bytes are kept, but for escapes. */
  readonly json: string
}

/**
 * Reads a line that `process` wrote: a JSON object as it is, anything else as the message of one. A JSON object that
 * {@link createLineSplitter} has cut keeps its whole members, and so its service, level and time. The beginning of its next member is
 * the message, if that was cut, else `cut`.
 */
export function parseServiceLine(process: string, source: 'stdout' | 'stderr', raw: string): ServiceLine {
  const text = raw.trim()
  const json = parseObject(text) ?? wholeMembers(text)
  if (json === undefined) {
    const level = source === 'stderr' ? 'warn' : 'info'
    const wrapped = { level, time: new Date().toISOString(), service: process, msg: text }
    return { service: process, fields: wrapped, json: safeJson(JSON.stringify(wrapped)) }
  }
  const { fields, text: whole } = json
  const own = fields['service']
  if (typeof own === 'string') return { service: own, fields, json: safeJson(whole) }
  const separator = Object.keys(fields).length > 0 ? ',' : ''
  const rest = safeJson(whole.slice(1))
  return { service: process, fields, json: `{"service":${JSON.stringify(process)}${separator}${rest}` }
}

interface JsonLine {
  readonly fields: Readonly<Record<string, unknown>>
  readonly text: string
}

function parseObject(text: string): JsonLine | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    return { fields: parseJson(text) as Record<string, unknown>, text }
  } catch {
    // Not JSON, or beyond the limits of parseJson: passed on as text.
    return undefined
  }
}

/** The message as the last member of a cut line. */
const CUT_MESSAGE = /^\s*"msg"\s*:\s*"/

/** A cut JSON object as one with its whole members, and what is left of the next one. */
function wholeMembers(text: string): JsonLine | undefined {
  if (!text.startsWith('{') || !isCut(text)) return undefined
  const end = lastSeparator(text)
  if (end === undefined) return undefined
  const rest = text.slice(end + 1)
  const message = rest.replace(CUT_MESSAGE, '')
  const name = message === rest ? 'cut' : 'msg'
  return parseObject(`${text.slice(0, end)},${JSON.stringify(name)}:${JSON.stringify(message)}}`)
}

/** An escape, the end of a string, or structure: no token is long, as a string may be one of megabytes. */
const TOKEN = /\\.|["{}[\],]/gs

/** The place of the last comma between members of the outermost object. */
function lastSeparator(text: string): number | undefined {
  let depth = 0
  let isInString = false
  let last: number | undefined
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '"') isInString = !isInString
    else if (isInString) continue
    else if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    else if (token === ',' && depth === 1) last = index
  }
  return last
}
