import { isJsonObject, type JsonObject, parseJson } from '@taproom/core/limits'
import type { LogLine } from '../api/services.ts'

export const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
/** The distance between pino's numeric levels: trace is 10, fatal is 60. */
const STEP = 10

/** A line as it is kept: what most filters ask for is read once. */
export interface KeptLine {
  readonly id: number
  readonly time: number
  readonly service: string
  /** Place of the level in {@link LEVELS}. */
  readonly severity: number
  readonly trace: string | undefined
  readonly json: string
}

/** Undefined for a text that is not one JSON object. */
export function keptLine(id: number, json: string): KeptLine | undefined {
  const fields = parsed(json)
  if (fields === undefined) return undefined
  const { time, service, level, trace_id: trace } = fields
  return {
    id,
    time: timeOf(time),
    service: typeof service === 'string' ? service : '',
    severity: severityOf(level),
    trace: typeof trace === 'string' ? trace : undefined,
    json,
  }
}

export function shownLine({ id, time, service, severity, json }: KeptLine): LogLine {
  const {
    time: _time,
    service: _service,
    level: _level,
    msg = '',
    trace_id: traceId,
    span_id: spanId,
    ...fields
  } = parsed(json) ?? {}
  return {
    id,
    time,
    service,
    level: LEVELS[severity] ?? 'info',
    msg: typeof msg === 'string' ? msg : JSON.stringify(msg),
    ...(typeof traceId === 'string' && { traceId }),
    ...(typeof spanId === 'string' && { spanId }),
    fields,
  }
}

function parsed(json: string): JsonObject | undefined {
  try {
    const fields = parseJson(json)
    return isJsonObject(fields) ? fields : undefined
  } catch {
    return undefined
  }
}

/** The time of a line; now where it has none that a `Date` can be, such as nanoseconds. */
function timeOf(time: unknown): number {
  const parsedTime = typeof time === 'number' ? time : Date.parse(String(time))
  return Number.isNaN(new Date(parsedTime).getTime()) ? Date.now() : parsedTime
}

/** The place of a level; an unknown level counts as `info`. */
function severityOf(level: unknown): number {
  const at = typeof level === 'number' ? Math.floor(level / STEP) - 1 : LEVELS.indexOf(level as LogLine['level'])
  return at < 0 || at >= LEVELS.length ? LEVELS.indexOf('info') : at
}
