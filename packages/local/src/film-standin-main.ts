import { once } from 'node:events'
import { createLogger, fatal, shutdownSignal } from '@taproom/service'
import { filmShape } from './standins/film-catalogue.ts'
import { startFilmStandin } from './standins/film-standin.ts'
import { readStandinConfig } from './standins/standin-config.ts'
import { readStandinFile } from './standins/standin-data.ts'

async function main(): Promise<void> {
  const config = readStandinConfig(process.env)
  const films = await readStandinFile({
    variable: 'FILM_STANDIN_DATA',
    path: config.filmData,
    record: 'film',
    shape: filmShape,
  })
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
