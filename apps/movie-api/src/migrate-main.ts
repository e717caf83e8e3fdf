import { reasonOf } from '@taproom/core/lines'
import { whenReached } from '@taproom/database'
import { createLogger, fatal, shutdownSignal } from '@taproom/service'
import { readConfig } from './config.ts'
import { openFilmDatabase } from './film-store.ts'

/** For a release's own job, before the service runs with `DATABASE_MIGRATE_AT_START=false`. */
async function main() {
  const config = readConfig(process.env)
  const log = createLogger('movie-api', config.log)
  shutdownSignal(log, config.graceMs)

  await using database = await openFilmDatabase(config.database, log)
  await whenReached(() => database.migrate(), {
    forMs: config.migrateWaitMs,
    onWaiting: (error) => log.warn({ reason: reasonOf(error) }, 'the database cannot be reached, waiting for it'),
  })
  log.info({ database: config.database.kind }, 'movie-api database is up to date')
}

main().catch((error: unknown) => {
  fatal('movie-api failed to migrate its database', error)
  process.exitCode = 1
})
