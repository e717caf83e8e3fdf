import { jsonLine, type Log } from '@taproom/core/lines'

/** Warnings and errors, as JSON on stdout. */
export const warningsOnStdout: Log = {
  debug() {},
  info() {},
  warn: (fields, msg) => write('warn', fields, msg),
  error: (fields, msg) => write('error', fields, msg),
}

function write(level: string, fields: object, msg: string): void {
  process.stdout.write(jsonLine({ level, name: 'schema-registry', ...fields, msg }))
}
