import { FILM_CATALOGUE, type RemoteFilm } from './film-catalogue.ts'
import type { StandinAnswer } from './standin-answer.ts'
import { type Standin, type StandinOptions, startStandinServer } from './standin-server.ts'

export interface FilmStandinOptions extends StandinOptions {
  /** Films by position: the first has id 1. Default: six invented films. */
  readonly films?: readonly RemoteFilm[] | undefined
}

/**
 * Starts a stand-in for the remote film service: JSON under `/api/films/` and `/api/films/{id}/`, a redirect for an
 * address without the last slash, `{"detail":"Not found"}` with 404 for an unknown film, 405 with `Allow`.
 */
export function startFilmStandin({ films = FILM_CATALOGUE, ...where }: FilmStandinOptions = {}): Promise<Standin> {
  return startStandinServer({ ...where, basePath: '/api' }, (request, url) => answer(films, request.method ?? '', url))
}

function answer(films: readonly RemoteFilm[], method: string, url: URL): StandinAnswer {
  const resource = /^\/api\/films(?:\/([^/.]+))?(\/?)$/.exec(url.pathname)
  if (!resource) return { status: 404, json: { detail: 'Not found' } }
  if (method !== 'GET' && method !== 'HEAD') {
    return { status: 405, headers: { Allow: 'GET, HEAD' }, json: { detail: `Method '${method}' not allowed.` } }
  }
  const [, id, slash] = resource
  // Only a path: it leads to the same host, whatever host the request names.
  if (!slash) return { status: 301, headers: { Location: `${url.pathname}/${url.search}` } }
  if (id === undefined) return { status: 200, json: { count: films.length, results: films } }
  const film = /^\d+$/.test(id) ? films[Number(id) - 1] : undefined
  return film ? { status: 200, json: film } : { status: 404, json: { detail: 'Not found' } }
}
