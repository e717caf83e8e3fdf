import { type Policies, readPolicies } from '@taproom/resilience'
import type { EnvReader } from '@taproom/service'

/** The policies of calls to the film service, by the names that begin with `FILM`, or MicroProfile's. */
export function readFilmPolicies(read: EnvReader): Policies {
  return readPolicies(read, {
    prefix: 'FILM',
    method: 'FilmService/fetchFilm',
    retry: { delayMs: 2000, jitterMs: 0 },
    timeoutMs: 2000,
    circuitBreaker: { requestVolumeThreshold: 4, successThreshold: 2 },
  })
}
