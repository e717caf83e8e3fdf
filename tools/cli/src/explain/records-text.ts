import type { LogLine, TraceSummary } from '@taproom/console/api'
import { visible } from '@taproom/core/lines'
import type { PartRecords } from './part-records.ts'

const MAX_TEXT = 500
/** Hours to milliseconds of an ISO time. */
const TIME = { from: 11, to: 23 }

/** Lines and traces of a part as a terminal shows them; empty where there are none. */
export function recordsText({ logs, traces }: PartRecords, address: string): string {
  const lines = logs.length === 0 ? [] : ['', 'log, warn and above, the newest last:', ...logs.map(lineText)]
  const failed = traces.map((trace) => traceText(trace, address))
  const all = failed.length === 0 ? lines : [...lines, '', 'traces that failed, the newest first:', ...failed]
  return all.map((line) => `${visible(line, MAX_TEXT)}\n`).join('')
}

function lineText({ time, level, service, msg, fields }: LogLine): string {
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${valueText(value)}`)
  return `  ${[timeText(time), level, `${service}:`, msg, ...pairs].join(' ')}`
}

/** Errors without their stacks. */
function valueText(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'message' in value) return JSON.stringify(value.message)
  return typeof value === 'string' && /^\S+$/.test(value) ? value : JSON.stringify(value)
}

function traceText(
  { traceId, name, service, startedAt, durationMs, spans, errors }: TraceSummary,
  address: string,
): string {
  const failed = `${errors} of ${spans} spans failed, ${Math.round(durationMs)} ms`
  return `  ${timeText(startedAt)} ${service}: ${name}, ${failed}: ${address}/#/traces/${traceId}`
}

function timeText(time: number): string {
  return new Date(time).toISOString().slice(TIME.from, TIME.to)
}
