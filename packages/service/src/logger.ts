import { isatty } from 'node:tty'
import { parseJson } from '@taproom/core/limits'
import { readableLine, safeJson, visible } from '@taproom/core/lines'
import { tracing } from '@taproom/core/spans'
import { type Logger as PinoLogger, pino } from 'pino'

/** Log levels, beginning with the one that logs least. */
export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
/** How much is logged: this level and the more severe ones. */
export type LogLevel = (typeof LOG_LEVELS)[number]

/** A structured logger: fields first, then a constant lower-case message. */
export type Logger = PinoLogger

/** `process.stdout`, whose making costs half a millisecond of a start. */
const STDOUT = 1
/** Characters shown of a line that exceeds the JSON limits. */
const MAX_UNREAD = 16_384

/** Never logged, at any depth of the fields. */
const REDACTED = ['authorization', 'cookie', 'password', 'token'].flatMap((name) => [name, `*.${name}`])

/**
 * A logger on stdout: one JSON object per line, or readable lines when stdout is a terminal. Characters that could split a line or control a
 * terminal are escaped.
 * Each line carries `level`, `time` (ISO 8601), `service` and `msg`, inside of a span its `trace_id` and `span_id`, and is written when the
 * call returns.
 */
export function createLogger(name: string, { level }: { readonly level: LogLevel }): Logger {
  const options = {
    level,
    base: { service: name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    mixin: () => tracing()?.ids() ?? NO_TRACE,
    mixinMergeStrategy: (fields: object, ids: object) => (ids === NO_TRACE ? fields : { ...ids, ...fields }),
    redact: { paths: REDACTED, censor: '[redacted]' },
    hooks: { streamWrite: isatty(STDOUT) ? readable : safeJson },
  }
  // Synchronous, so that what was logged before an answer is written even if the process is killed right after it.
  return pino(options, pino.destination({ dest: STDOUT, sync: true }))
}

const NO_TRACE = {}

function readable(line: string): string {
  try {
    return `${readableLine(parseJson(line) as Readonly<Record<string, unknown>>, { stacks: true })}\n`
  } catch {
    // Beyond the JSON limits: shown as it is.
    return `${visible(line.trimEnd(), MAX_UNREAD)}\n`
  }
}
