import type { LocalFilm, Movie, RemoteFilm } from './film.ts'

export type Movies = ReturnType<typeof createMovies>

export function createMovies(deps: {
  readonly findFilms: (year: number | undefined) => Promise<readonly LocalFilm[]>
  readonly fetchFilm: (id: number, signal: AbortSignal) => Promise<RemoteFilm>
  /** Remote calls at once for one answer. */
  readonly parallelCalls: number
}) {
  return {
    /** The films of a year, or all, in the database's order. Rejects with the first remote failure, which aborts the other calls. */
    async find(year: number | undefined, signal: AbortSignal): Promise<readonly Movie[]> {
      const films = await deps.findFilms(year)
      const found = new Array<Movie>(films.length)
      const left = films.entries()
      using stop = followed(signal)
      const fetchInTurn = async () => {
        for (const [index, film] of left) found[index] = toMovie(film, await deps.fetchFilm(film.id, stop.signal))
      }
      try {
        await Promise.all(Array.from({ length: Math.min(deps.parallelCalls, films.length) }, fetchInTurn))
        return found
      } catch (error) {
        stop.abort(error)
        throw error
      }
    },
  }
}

function toMovie(
  { title, releaseDate }: LocalFilm,
  { episodeId, producer, director, openingCrawl }: RemoteFilm,
): Movie {
  return { title, releaseDate, episodeId, producer, director, opening_crawl: openingCrawl }
}

/** Aborts as the signal does, until it is disposed of, or of itself. `AbortSignal.any` would cost five times as much. */
function followed(signal: AbortSignal) {
  const controller = new AbortController()
  const follow = () => controller.abort(signal.reason)
  signal.addEventListener('abort', follow)
  if (signal.aborted) follow()
  return {
    signal: controller.signal,
    abort: (reason: unknown) => controller.abort(reason),
    [Symbol.dispose]: () => signal.removeEventListener('abort', follow),
  }
}
