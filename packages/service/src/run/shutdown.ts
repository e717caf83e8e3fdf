import type { Logger } from '../logger.ts'
import { fatal } from './fatal.ts'

/**
 * The signal that ends a service: aborted by the first SIGTERM or SIGINT. A second one, or `graceMs` milliseconds without
 * an orderly end, exits with 1. An uncaught exception is written to stderr and exits with 1 at once, because the state it leaves is unknown.
 */
export function shutdownSignal(log: Logger, graceMs: number): AbortSignal {
  const controller = new AbortController()

  function stop(signal: NodeJS.Signals): void {
    if (controller.signal.aborted) {
      log.warn({ signal }, 'second signal, exiting at once')
      process.exit(1)
    }
    log.info({ signal, graceMs }, 'stopping')
    setTimeout(() => {
      log.error({ graceMs }, 'not stopped within the grace')
      process.exit(1)
    }, graceMs).unref()
    controller.abort()
  }

  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('uncaughtException', (error) => {
    fatal('uncaught exception', error)
    process.exit(1)
  })
  return controller.signal
}
