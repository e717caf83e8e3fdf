import { type ServiceLine, safeJson } from '@taproom/core/lines'

/** Characters of a service's line that are read; the rest is left out. */
export const MAX_LINE_LENGTH = 65_536

/** A line that this process writes itself. */
export function ownLine(service: string, level: 'info' | 'warn', msg: string, fields: object = {}): ServiceLine {
  const line = { level, time: new Date().toISOString(), service, ...fields, msg }
  return { service, fields: line, json: safeJson(JSON.stringify(line)) }
}
