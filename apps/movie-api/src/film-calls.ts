import { reasonWithCause } from '@taproom/lines'
import { CircuitOpenError, type Guard } from '@taproom/resilience'
import type { Logger } from '@taproom/service'
import type { RemoteFilm } from './film.ts'
import type { FilmFallback } from './film-guard.ts'
import type { FilmService } from './film-service.ts'

/** What calls need. */
export interface FilmCallDependencies {
  readonly filmService: Pick<FilmService, 'fetchFilm'>
  readonly guard: Guard<FilmFallback>
  readonly log: Pick<Logger, 'warn' | 'debug'>
}

/**
 * Fetches films through the guard. A call that fails is one line with the film and the error's code, whether the fallback stands in or not;
 * its stack is there at debug level. One that is refused because the circuit is open was told when it opened, and is a debug line.
 */
export function createFilmCalls({ filmService, guard, log }: FilmCallDependencies) {
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
