import { runService } from '@taproom/service'
import { FILM_SHAPE } from './film-catalogue.ts'
import { startFilmStandin } from './film-standin.ts'
import { readStandinConfig } from './standin-config.ts'
import { readStandinFile } from './standin-data.ts'

void runService('film-standin', readStandinConfig('FILM_STANDIN_DATA'), async ({ config }) => {
  const films = await readStandinFile({ ...config.data, record: 'film', shape: FILM_SHAPE })
  const standin = await startFilmStandin({ ...config.http, hasControl: config.hasControl, films })
  return { ...standin, details: { films: films?.length ?? 'shipped' } }
})
