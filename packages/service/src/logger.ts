import { createRequire } from 'node:module'
import { type Logger as PinoLogger, pino } from 'pino'

/** Log levels, from the one that says least. */
export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
/** How much is logged: this level and the more severe ones. */
export type LogLevel = (typeof LOG_LEVELS)[number]

/** A structured logger: fields first, then a constant lower-case message. */
export type Logger = PinoLogger

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
 * A logger on stdout: one JSON object a line, or readable lines when stdout is a terminal.
 * Each line carries `level`, `time` (ISO 8601), `service` and `msg`, and is written when the call returns.
 */
export function createLogger(name: string, { level }: { readonly level: LogLevel }): Logger {
  const options = {
    level,
    base: { service: name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: REDACTED, censor: '[redacted]' },
  }
  return pino(options, process.stdout.isTTY ? readableLines() : jsonLines())
}

/** Written before the call returns: whoever logs what it has done and then answers has logged it, killed in the next moment or not. */
function jsonLines() {
  return pino.destination({ dest: 1, sync: true })
}

/**
 * Loaded only on a terminal: a service in a container, or started from zero, does not pay for it. One that was bundled has none, and
 * writes JSON there, too.
 */
function readableLines() {
  try {
    const pretty: typeof import('pino-pretty') = createRequire(import.meta.url)('pino-pretty')
    return pretty({ colorize: true, sync: true, ignore: 'service', translateTime: 'SYS:HH:MM:ss.l' })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return jsonLines()
    throw error
  }
}
