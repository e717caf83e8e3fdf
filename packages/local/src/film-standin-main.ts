import { once } from 'node:events'
import { createLogger, fatal, shutdownSignal } from '@taproom/service'
import { startFilmStandin } from './standins/film-standin.ts'
import { readFilms, readStandinConfig } from './standins/standin-config.ts'

async function main(): Promise<void> {
  const config = readStandinConfig(process.env)
  const films = await readFilms(config)
  const log = createLogger('film-standin', config.log)
  const shutdown = shutdownSignal(log, config.graceMs)

  await using standin = await startFilmStandin({ ...config.http, films })
  log.info({ port: standin.port, films: films?.length ?? 'shipped' }, 'film-standin ready')
  if (!shutdown.aborted) await once(shutdown, 'abort')
}

main().catch((error: unknown) => {
  fatal('film-standin failed to start', error)
  process.exitCode = 1
})
