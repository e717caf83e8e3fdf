import { reasonWithCause } from '@taproom/core/lines'
import { CircuitOpenError, type Guard } from '@taproom/resilience'
import type { Logger } from '@taproom/service'
import type { RemoteFilm } from './film.ts'
import type { FilmFallback } from './film-guard.ts'
import type { FilmService } from './film-service.ts'

/**
 * Fetches films through the guard. A failed call is one line with film and error code, with or without fallback; the stack is logged at
 * debug level. Calls refused by the open circuit are debug lines: its opening was logged.
 */
export function createFilmCalls(deps: {
  readonly filmService: Pick<FilmService, 'fetchFilm'>
  readonly guard: Guard<FilmFallback>
  readonly log: Pick<Logger, 'warn' | 'debug'>
}) {
  const { filmService, guard, log } = deps

  function tell(film: number, error: unknown): void {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (!(error instanceof CircuitOpenError))
      log.warn({ film, code, reason: reasonWithCause(error) }, 'film call failed')
    log.debug({ film, err: error }, 'film call failed')
  }

  return async (id: number, signal: AbortSignal): Promise<RemoteFilm> => {
    try {
      const film = await guard.execute((context) => filmService.fetchFilm(id, context.signal), signal)
      if ('failure' in film) tell(id, film.failure)
      return film
    } catch (error) {
      if (!signal.aborted) tell(id, error)
      throw error
    }
  }
}
