import { CircuitOpenError, createGuard, type Guard, type Policies } from '@taproom/resilience'
import type { Logger } from '@taproom/service'
import type { RemoteFilm } from './film.ts'

/** Replaces a film that could not be fetched; says why. */
export interface FilmFallback extends RemoteFilm {
  readonly failure: unknown
}

const nothing: RemoteFilm = { episodeId: 0, producer: '', director: '', openingCrawl: '' }

/**
 * The policies around every call to the film service: one guard, and so one circuit breaker, for the remote host. Nothing is retried during
 * shutdown, so that answers in flight end within the grace.
 */
export function createFilmGuard(
  policies: Policies,
  log: Pick<Logger, 'warn'>,
  shutdown: AbortSignal,
): Guard<FilmFallback> {
  const abortOn = (error: unknown) => error instanceof CircuitOpenError || shutdown.aborted
  const guard = createGuard<FilmFallback>({
    ...policies,
    name: 'film service',
    retry: policies.retry && { ...policies.retry, abortOn },
    fallback: policies.fallback ? { handler: (failure) => ({ ...nothing, failure }) } : undefined,
  })
  guard.onEvent((event) => {
    if (event.type === 'circuit-breaker-state') {
      log.warn({ from: event.from, to: event.to }, 'film service circuit changed')
    }
  })
  return guard
}
