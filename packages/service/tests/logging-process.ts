/** Logs hostile input, in the form that `TEST_FORM` names, then ends as if it could not start. */
import { syncBuiltinESMExports } from 'node:module'
import tty from 'node:tty'
import { ConfigError, createLogger, fatal, ListenError } from '../src/index.ts'

if (process.env['TEST_FORM'] === 'terminal') {
  tty.isatty = () => true
  syncBuiltinESMExports()
  process.stderr.isTTY = true
}
const nasty = '\u001b]0;owned\u0007\u009b2J\r\n{"level":"fatal"}\u2028\u2029\u202e\u200b\u007f'
const log = createLogger('demo', { level: 'info' })
log.info({ [nasty]: nasty, event: { [nasty]: nasty, data: [nasty] } }, nasty)
log.error({ err: new Error(nasty) }, 'failed')
log.info({ big: Array.from({ length: 60_000 }, () => 1) }, 'big')
fatal('no start', new ConfigError([`PORT=${nasty}`, 'HOST is missing']))
fatal('no start', new Error(nasty))
fatal('no start', new ListenError('port 80 is not permitted'))
