import { circuitBreakerCheck, createHealth, databaseCheck, processCheck, urlCheck } from '@taproom/health'
import { reportMetrics } from '@taproom/resilience'
import { assemble, createMetrics, listen, type ServiceContext } from '@taproom/service'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { createFilmCalls } from './film-calls.ts'
import { createFilmGuard } from './film-guard.ts'
import { createFilmService } from './film-service.ts'
import { openFilmStore } from './film-store.ts'
import { createMovies } from './movies.ts'

/** Lists a year's films from its database, with details from the remote film service. */
export const startMovieApi = ({ config, log, shutdown }: ServiceContext<Config>) =>
  assemble(async (use) => {
    const store = use(await openFilmStore(config.database, log, config))
    const filmService = use(createFilmService(config.filmService.url))
    const guard = createFilmGuard(config.filmService.policies, log, shutdown)
    const movies = createMovies({
      findFilms: (year) => store.find(year),
      fetchFilm: createFilmCalls({ filmService, guard, log }),
      parallelCalls: config.filmService.parallelCalls,
    })

    const health = createHealth({
      readiness: [databaseCheck({ '<default>': () => store.ping() }), urlCheck({ url: config.externalUrl })],
      wellness: [circuitBreakerCheck('Film service circuit breaker', guard.circuitBreaker), processCheck()],
      shutdown,
    })
    const metrics = createMetrics({ health })
    reportMetrics(guard, metrics)

    const app = createApp({ movies, health, healthRoutes: config.health, metrics, log })
    return use(await listen(app, config.http))
  })
