import type { Log } from '@taproom/core/lines'

const print =
  (level: string) =>
  (fields: object, message: string): void => {
    if (process.env['TEST_LOG'] !== undefined) process.stderr.write(`${level} ${message} ${JSON.stringify(fields)}\n`)
  }

/** Says nothing, unless TEST_LOG is set. */
export const silentLog: Log = {
  debug: () => undefined,
  info: print('info'),
  warn: print('warn'),
  error: print('error'),
}
