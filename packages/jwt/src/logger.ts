import type { Log } from '@taproom/core/lines'

/** The part of a logger that this package needs; pino fits. */
export type JwtLogger = Pick<Log, 'info' | 'warn'>
