import { CircuitOpenError, createGuard, type Guard } from '@taproom/resilience'
import type { Logger } from '@taproom/service'
import type { FilmServiceConfig } from './config.ts'
import type { RemoteFilm } from './film.ts'

const nothing: RemoteFilm = { episodeId: 0, producer: '', director: '', openingCrawl: '' }

/**
 * The policies around every call to the film service: one guard, so one circuit breaker, for the remote host.
 * During shutdown a call that fails is not tried again, so that answers in flight end within the grace.
 */
export function createFilmGuard(config: FilmServiceConfig, log: Logger, shutdown: AbortSignal): Guard<RemoteFilm> {
  const abortOn = (error: unknown) => error instanceof CircuitOpenError || shutdown.aborted
  const guard = createGuard<RemoteFilm>({
    name: 'film service',
    retry: config.retry && { ...config.retry, abortOn },
    circuitBreaker: config.circuitBreaker,
    timeout: config.timeout,
    fallback: config.fallback ? { handler: () => nothing } : undefined,
  })
  guard.onEvent((event) => {
    if (event.type === 'circuit-breaker-state') {
      log.warn({ from: event.from, to: event.to }, 'film service circuit changed')
    } else if (event.type === 'retry-finished' && event.result === 'max-retries-reached') {
      log.warn({ reason: reasonOf(event.error) }, 'film service retries exhausted')
    } else if (event.type === 'fallback') {
      log.debug({ err: event.error }, 'film service fallback used')
    }
  })
  return guard
}

/** A failing remote is no fault of this code: its line tells what happened, without a stack. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
