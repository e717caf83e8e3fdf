import { isJsonObject, JsonError, parseJson } from '@taproom/core/limits'
import { createHttpGet } from '@taproom/http'
import type { RemoteFilm } from './film.ts'

/** A call of the film service failed. */
export abstract class FilmServiceError extends Error {
  override readonly name: string = this.constructor.name
  abstract readonly code: 'FILM_SERVICE_UNREACHABLE' | 'FILM_SERVICE_BAD_ANSWER'
}

/** No complete answer came: unknown host, refused, reset, broken off, too large, or a redirect loop. */
export class FilmServiceUnreachableError extends FilmServiceError {
  readonly code = 'FILM_SERVICE_UNREACHABLE'
}

/** The answer is not a film: another status than 200, not JSON, or the wrong shape. */
export class FilmServiceAnswerError extends FilmServiceError {
  readonly code = 'FILM_SERVICE_BAD_ANSWER'
}

export type FilmService = ReturnType<typeof createFilmService>

/** Calls `GET {url}/films/{id}`. */
export function createFilmService(url: string) {
  const get = createHttpGet({
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'taproom-movie-api',
  })
  return {
    /** One attempt. @throws {FilmServiceError} when it fails, or the signal's reason when that is aborted */
    async fetchFilm(id: number, signal: AbortSignal): Promise<RemoteFilm> {
      const address = `${url}/films/${id}`
      let answer: Awaited<ReturnType<typeof get>>
      try {
        answer = await get(address, signal)
      } catch (cause) {
        if (signal.aborted) throw signal.reason
        throw new FilmServiceUnreachableError(`no complete answer: GET ${address}`, { cause })
      }
      const { status, body } = answer
      if (status !== 200) throw new FilmServiceAnswerError(`status ${status}: GET ${address}`)
      return parseFilm(body, address)
    },
    [Symbol.dispose]: () => get[Symbol.dispose](),
  }
}

function parseFilm(body: Buffer, address: string): RemoteFilm {
  let film: unknown
  try {
    film = parseJson(body)
  } catch (cause) {
    const rule = cause instanceof JsonError ? cause.message : 'not JSON'
    throw new FilmServiceAnswerError(`${rule}: GET ${address}`, { cause })
  }
  if (!isJsonObject(film)) throw new FilmServiceAnswerError(`not a JSON object: GET ${address}`)
  const text = (name: string): string => {
    const value = film[name] ?? ''
    if (typeof value !== 'string') throw new FilmServiceAnswerError(`${name} is not a string: GET ${address}`)
    return value
  }
  const episodeId = film['episode_id']
  // Every film has this field: without it the object is something else, such as an error sent with 200.
  if (typeof episodeId !== 'number' || !Number.isSafeInteger(episodeId)) {
    throw new FilmServiceAnswerError(`episode_id is not an integer: GET ${address}`)
  }
  text('title')
  return { episodeId, producer: text('producer'), director: text('director'), openingCrawl: text('opening_crawl') }
}
