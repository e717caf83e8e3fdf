/** What is needed of a logger; pino fits. Without `debug` only the first failure is told. */
export interface OutageLog {
  warn(fields: object, message: string): void
  debug?(fields: object, message: string): void
}

/** Failures of one thing until it works again. */
export interface Outage {
  /** Tells the first failure as a warning, each further one at debug level. */
  failed(fields: object): void
  /** It works again: the next failure is a first one. */
  over(): void
}

/** Tells an outage once, however long it lasts. */
export function createOutage(log: OutageLog, message: string): Outage {
  let isTold = false
  return {
    failed(fields) {
      if (isTold) log.debug?.(fields, message)
      else log.warn(fields, message)
      isTold = true
    },
    over() {
      isTold = false
    },
  }
}
