import { once } from 'node:events'
import { circuitBreakerCheck, createHealth, databaseCheck, processCheck, urlCheck } from '@taproom/health'
import { reportMetrics } from '@taproom/resilience'
import { createLogger, createMetrics, fatal, listen, shutdownSignal } from '@taproom/service'
import { createApp } from './app.ts'
import { readConfig } from './config.ts'
import { createFilmCalls } from './film-calls.ts'
import { createFilmGuard } from './film-guard.ts'
import { createFilmService } from './film-service.ts'
import { openFilmStore } from './film-store.ts'
import { createMovies } from './movies.ts'

async function main() {
  const config = readConfig(process.env)
  const log = createLogger('movie-api', config.log)
  const shutdown = shutdownSignal(log, config.graceMs)

  await using store = openFilmStore(config.database, log, config)
  using filmService = createFilmService(config.filmService.url)
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
  await using server = await listen(app, config.http)
  log.info({ port: server.port }, 'movie-api ready')
  if (!shutdown.aborted) await once(shutdown, 'abort')
}

main().catch((error: unknown) => {
  fatal('movie-api failed to start', error)
  process.exitCode = 1
})
