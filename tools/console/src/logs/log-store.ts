import { parseJson } from '@taproom/core/limits'
import { KeptLines, type KeptLinesLimits } from '@taproom/core/lines'
import type { LogLine } from '../api/services.ts'

export interface LogFilter {
  readonly service?: string | undefined
  /** The least severe. */
  readonly level?: LogLine['level'] | undefined
  /** Somewhere in the line, in any case. */
  readonly text?: string | undefined
  readonly trace?: string | undefined
  /** The earliest time, in milliseconds since 1970. */
  readonly since?: number | undefined
}

export type LogStore = ReturnType<typeof createLogStore>

export const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
/** Maps pino's numeric levels to names. */
const STEP = 10

interface KeptLine {
  readonly id: number
  readonly time: number
  readonly service: string
  readonly severity: number
  readonly trace: string | undefined
  readonly json: string
}

const LIMITS: KeptLinesLimits = { maxLines: 100_000, maxCharacters: 48 * 1024 * 1024 }

/** The newest lines of all services. Default limits: 100,000 lines of 48 Mi characters in all. */
export function createLogStore(limits: KeptLinesLimits = LIMITS) {
  const watchers = new Set<() => void>()
  const lines = new KeptLines<KeptLine>(limits)

  /** The newest that fit among those at the given places. */
  function newest(filter: LogFilter, { from, to, limit }: { from: number; to: number; limit: number }): LogLine[] {
    const fits = fitting(filter)
    const found: LogLine[] = []
    for (let at = to - 1; at >= from && found.length < limit; at -= 1) {
      const line = lines.at(at)
      if (line !== undefined && fits(line)) found.push(shown(line))
    }
    return found.reverse()
  }

  function placeAfter(id: number): number {
    let [low, high] = [0, lines.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((lines.at(middle)?.id ?? 0) > id) high = middle
      else low = middle + 1
    }
    return low
  }

  return {
    /** Takes a line that is one JSON object; what is none is left out. */
    add(id: number, json: string): void {
      const line = keptLine(id, json)
      if (line === undefined) return
      lines.push(line)
      for (const changed of watchers) changed()
    },
    /** The newest lines that fit, the newest last: at most `limit`, older than the line `before`. */
    find: (filter: LogFilter, { limit, before }: { limit: number; before?: number | undefined }) =>
      newest(filter, { from: 0, to: before === undefined ? lines.length : placeAfter(before - 1), limit }),
    /** The newest `limit` lines that fit and come after a line, the newest last. */
    after: (id: number, filter: LogFilter, limit: number) =>
      newest(filter, { from: placeAfter(id), to: lines.length, limit }),
    get lastId(): number {
      return lines.at(-1)?.id ?? 0
    },
    /** Calls back when there are new lines, until it is disposed of. */
    watch(changed: () => void): Disposable {
      watchers.add(changed)
      return { [Symbol.dispose]: () => void watchers.delete(changed) }
    },
  }
}

function keptLine(id: number, json: string): KeptLine | undefined {
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

function parsed(json: string): Record<string, unknown> | undefined {
  try {
    const fields = parseJson(json)
    return typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function timeOf(time: unknown): number {
  const parsedTime = typeof time === 'number' ? time : Date.parse(String(time))
  return Number.isFinite(parsedTime) ? parsedTime : Date.now()
}

/** An unknown one counts as `info`. */
function severityOf(level: unknown): number {
  const at = typeof level === 'number' ? Math.floor(level / STEP) - 1 : LEVELS.indexOf(level as LogLine['level'])
  return at < 0 || at >= LEVELS.length ? LEVELS.indexOf('info') : at
}

function fitting({
  service,
  level,
  text,
  trace,
  since = Number.NEGATIVE_INFINITY,
}: LogFilter): (line: KeptLine) => boolean {
  const least = level === undefined ? 0 : LEVELS.indexOf(level)
  // As it stands in JSON.
  const wanted = text === undefined ? undefined : JSON.stringify(text).slice(1, -1).toLowerCase()
  // The text comes last: to read it takes longest.
  return (line) =>
    line.time >= since &&
    line.severity >= least &&
    (service === undefined || line.service === service) &&
    (trace === undefined || line.trace === trace) &&
    (wanted === undefined || line.json.toLowerCase().includes(wanted))
}

function shown({ id, time, service, severity, json }: KeptLine): LogLine {
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
