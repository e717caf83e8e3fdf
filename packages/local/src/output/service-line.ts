/** One line that a service wrote, as fields. */
export interface ServiceLine {
  /** Who wrote it: the line's own `service` member, else the name of the process. */
  readonly service: string
  readonly fields: Readonly<Record<string, unknown>>
  /** The line as one JSON object with a `service` member; the service's own bytes are kept. */
  readonly json: string
}

/** A line longer than this many characters is cut. */
const maxLength = 65_536

/** Reads a line of a service's output: a JSON object as it is, anything else as the message of one. */
export function parseServiceLine(process: string, source: 'stdout' | 'stderr', raw: string): ServiceLine {
  const text = raw.length > maxLength ? `${raw.slice(0, maxLength)}…` : raw
  const fields = parseObject(text)
  if (fields === undefined) {
    const level = source === 'stderr' ? 'warn' : 'info'
    const wrapped = { level, time: new Date().toISOString(), service: process, msg: text }
    return { service: process, fields: wrapped, json: JSON.stringify(wrapped) }
  }
  const own = fields['service']
  if (typeof own === 'string') return { service: own, fields, json: text }
  const separator = Object.keys(fields).length > 0 ? ',' : ''
  const rest = text.slice(text.indexOf('{') + 1)
  return { service: process, fields, json: `{"service":${JSON.stringify(process)}${separator}${rest}` }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    // Not JSON after all: it is passed on as text.
    return undefined
  }
}

/** A line of this process itself. */
export function ownLine(service: string, level: 'info' | 'warn', msg: string, fields: object = {}): ServiceLine {
  const line = { level, time: new Date().toISOString(), service, ...fields, msg }
  return { service, fields: line, json: JSON.stringify(line) }
}
