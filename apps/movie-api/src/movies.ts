import type { LocalFilm, Movie, RemoteFilm } from './film.ts'

export type Movies = ReturnType<typeof createMovies>

export function createMovies(deps: {
  readonly findFilms: (year: number | undefined) => Promise<readonly LocalFilm[]>
  readonly fetchFilm: (id: number, signal: AbortSignal) => Promise<RemoteFilm>
  /** Remote calls at once for one answer. */
  readonly parallelCalls: number
}) {
  return {
    /** The films of a year, or all, in the database's order. Rejects with the first remote failure. */
    async find(year: number | undefined, signal: AbortSignal): Promise<readonly Movie[]> {
      const films = await deps.findFilms(year)
      return mapInParallel(films, deps.parallelCalls, signal, async ({ id, title, releaseDate }, signal) => {
        const { episodeId, producer, director, openingCrawl } = await deps.fetchFilm(id, signal)
        return { title, releaseDate, episodeId, producer, director, opening_crawl: openingCrawl }
      })
    },
  }
}

/** Results in the items' order; the first failure aborts the other calls. */
async function mapInParallel<T, R>(
  items: readonly T[],
  limit: number,
  signal: AbortSignal,
  map: (item: T, signal: AbortSignal) => Promise<R>,
): Promise<R[]> {
  using stop = followed(signal)
  const results = new Array<R>(items.length)
  const entries = items.entries()
  const work = async () => {
    for (const [index, item] of entries) results[index] = await map(item, stop.signal)
  }
  try {
    await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work))
    return results
  } catch (error) {
    stop.abort(error)
    throw error
  }
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
