import { parseJson } from '@taproom/core/limits'
import { safeJson } from '@taproom/core/lines'

/** One line that a service wrote, as fields. */
export interface ServiceLine {
  /** The line's own `service` member, else the name of the process. */
  readonly service: string
  readonly fields: Readonly<Record<string, unknown>>
  /** The line as one JSON object with a `service` member; the service's own bytes are kept, but for escapes. */
  readonly json: string
}

/** Characters of a service's line that are read; the rest is left out. */
export const MAX_LINE_LENGTH = 65_536

/** Reads a line of a service's output: a JSON object as it is, anything else as the message of one. */
export function parseServiceLine(process: string, source: 'stdout' | 'stderr', raw: string): ServiceLine {
  const text = raw.trim()
  const fields = parseObject(text)
  if (fields === undefined) {
    const level = source === 'stderr' ? 'warn' : 'info'
    const wrapped = { level, time: new Date().toISOString(), service: process, msg: text }
    return { service: process, fields: wrapped, json: safeJson(JSON.stringify(wrapped)) }
  }
  const own = fields['service']
  if (typeof own === 'string') return { service: own, fields, json: safeJson(text) }
  const separator = Object.keys(fields).length > 0 ? ',' : ''
  const rest = safeJson(text.slice(1))
  return { service: process, fields, json: `{"service":${JSON.stringify(process)}${separator}${rest}` }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    return parseJson(text) as Record<string, unknown>
  } catch {
    // Not JSON, or beyond the limits of parseJson: passed on as text.
    return undefined
  }
}

/** A line that this process writes itself. */
export function ownLine(service: string, level: 'info' | 'warn', msg: string, fields: object = {}): ServiceLine {
  const line = { level, time: new Date().toISOString(), service, ...fields, msg }
  return { service, fields: line, json: safeJson(JSON.stringify(line)) }
}
