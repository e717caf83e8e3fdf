import { parseJson } from '@taproom/limits'
import { readableLine, safeJson, visible } from '@taproom/lines'
import { type Logger as PinoLogger, pino } from 'pino'

/** Log levels, from the one that says least. */
export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
/** How much is logged: this level and the more severe ones. */
export type LogLevel = (typeof LOG_LEVELS)[number]

/** A structured logger: fields first, then a constant lower-case message. */
export type Logger = PinoLogger

/** Characters shown of a line that is beyond the limits of JSON. */
const MAX_UNREAD = 16_384

/** Never written out, wherever they stand in the fields. */
const REDACTED = [
  'authorization',
  'cookie',
  'password',
  'token',
  '*.authorization',
  '*.cookie',
  '*.password',
  '*.token',
]

/**
 * A logger on stdout: one JSON object a line, or readable lines when stdout is a terminal. Neither has control characters or others
 * that a reader of lines, or a terminal, could take for more than text.
 * Each line carries `level`, `time` (ISO 8601), `service` and `msg`, and is written when the call returns.
 */
export function createLogger(name: string, { level }: { readonly level: LogLevel }): Logger {
  const options = {
    level,
    base: { service: name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: REDACTED, censor: '[redacted]' },
    hooks: { streamWrite: process.stdout.isTTY ? readable : safeJson },
  }
  // Written before the call returns: whoever logs what it has done and then answers has logged it, killed in the next moment or not.
  return pino(options, pino.destination({ dest: 1, sync: true }))
}

function readable(line: string): string {
  try {
    return `${readableLine(parseJson(line) as Readonly<Record<string, unknown>>, { stacks: true })}\n`
  } catch {
    // More in it than is read: shown as it is.
    return `${visible(line.trimEnd(), MAX_UNREAD)}\n`
  }
}
