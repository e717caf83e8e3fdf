import { Agent } from 'node:http'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { APPS } from '../../harness/apps.ts'
import { type Contender, perCpuSecond } from '../../harness/contender.ts'
import { temporaryFolder } from '../../harness/temporary-folder.ts'
import { getFilms } from '../films/latency.ts'
import { startMovies, startRemote } from '../films/movies.ts'
import type { Curve } from './curve.ts'

/** Films of the contract, which every new database has. */
const SEEDED = 6
const SIZES = [SEEDED, SEEDED * 10, SEEDED * 100]
/** Films of all answers together, in one measurement. */
const FILMS = 3000

/** Films of the database, each asked of a remote that answers at once. */
export async function openFilmsCurve(opened: AsyncDisposableStack): Promise<Curve> {
  const { url } = opened.use(await startRemote())
  const points = SIZES.map(async (size) => ({ size, contender: await openMovies(size, url, opened) }))
  return {
    of: 'films',
    what: `CPU time of ${APPS.films} for an answer with all films of its database`,
    points: await Promise.all(points),
  }
}

/** Answers per second of CPU time, one after another. */
async function openMovies(films: number, remoteUrl: string, opened: AsyncDisposableStack): Promise<Contender> {
  const folder = await temporaryFolder(opened, 'bench-films')
  const file = join(folder, 'films.sqlite')
  const { url, pid } = opened.use(await startMovies(file, remoteUrl))
  const agent = opened.adopt(new Agent({ keepAlive: true, maxSockets: 1 }), (open) => open.destroy())
  // The first answer comes when the database is there.
  await getFilms(`${url}/movie`, agent)
  addFilms(file, films)
  const answers = FILMS / films
  return perCpuSecond(`${films} films`, [pid], async () => {
    for (let count = 0; count < answers; count += 1) await getFilms(`${url}/movie`, agent)
    return answers
  })
}

function addFilms(file: string, films: number): void {
  const database = new Database(file, { fileMustExist: true })
  try {
    const add = database.prepare('insert into films (id, title, release_date) values (?, ?, ?)')
    const addAll = database.transaction(() => {
      for (let id = SEEDED + 1; id <= films; id += 1) add.run(id, `Film ${id}`, '1999-05-19')
    })
    addAll()
  } finally {
    database.close()
  }
}
