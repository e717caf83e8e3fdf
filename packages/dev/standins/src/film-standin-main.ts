import { runService } from '@taproom/service'
import { startFilmStandin } from './film-standin.ts'
import { readFilms, readStandinConfig } from './standin-config.ts'

void runService('film-standin', readStandinConfig, async ({ config }) => {
  const films = await readFilms(config)
  const standin = await startFilmStandin({ ...config.http, films })
  return { ...standin, details: { films: films?.length ?? 'shipped' } }
})
