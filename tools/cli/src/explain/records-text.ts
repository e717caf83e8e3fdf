import { stripVTControlCharacters } from 'node:util'
import type { LogLine, TraceSummary } from '@taproom/console/api'
import { readableLine, visible } from '@taproom/core/lines'
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

/** As `pnpm start` shows it, without colours. */
function lineText({ time, level, service, msg, fields }: LogLine): string {
  return `  ${stripVTControlCharacters(readableLine({ ...fields, time, level, msg }, { service }))}`
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
