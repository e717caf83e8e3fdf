/** The part of a logger that an outage needs; pino fits. Without `debug` only the first failure is logged. */
export interface OutageLog {
  warn(fields: object, message: string): void
  debug?(fields: object, message: string): void
}

export type Outage = ReturnType<typeof createOutage>

/** Logs the failures of one dependency until it works again: warns of an outage once, however long it lasts. */
export function createOutage(log: OutageLog, message: string) {
  let isLogged = false
  return {
    /** Logs the first failure as a warning, each further one at debug level. */
    failed(fields: object): void {
      if (isLogged) log.debug?.(fields, message)
      else log.warn(fields, message)
      isLogged = true
    },
    /** It works again: the next failure is a first one. */
    over(): void {
      isLogged = false
    },
  }
}
