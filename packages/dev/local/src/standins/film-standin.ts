import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { filmCatalogue, type RemoteFilm } from './film-catalogue.ts'
import { negotiate, type Representation } from './film-negotiation.ts'
import { type Standin, type StandinAnswer, startStandinServer } from './standin-server.ts'

/** Options of {@link startFilmStandin}. */
export interface FilmStandinOptions {
  /** Films by position: the first has id 1. Default: six invented films. */
  readonly films?: readonly RemoteFilm[] | undefined
  /** Port to listen on; 0, the default, means any free one. */
  readonly port?: number | undefined
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string | undefined
}

const basePath = '/api'
const allow = 'GET, HEAD, OPTIONS'
const filmsPerPage = 10

/**
 * Starts a stand-in for the remote film service that answers as the real one does: JSON under `/api/films/{id}/`, a
 * redirect for an address without the last slash, `{"detail":"Not found"}` with 404 for an unknown film, 405 with
 * `Allow`, HTML for browsers, ETags. It does not limit requests.
 */
export function startFilmStandin(options: FilmStandinOptions = {}): Promise<Standin> {
  const films = options.films ?? filmCatalogue
  return startStandinServer({
    host: options.host,
    port: options.port,
    basePath,
    etag: 'strong',
    answer: (request, url) => withOrigin(request, answer(films, request, url)),
  })
}

function answer(films: readonly RemoteFilm[], request: IncomingMessage, url: URL): StandinAnswer {
  const resource = /^\/api\/(?:films\/(?:([^/.]+)\/)?)?$/.exec(url.pathname)
  if (!resource) return missingSlash(url) ?? notFoundPage()

  const representation = negotiate(request.headers.accept, url.searchParams.get('format'))
  if (representation === 'unknown-format') return detail(404, 'Not found', 'json')
  if (representation === 'none') return detail(406, 'Could not satisfy the request Accept header', 'json')
  if (request.method === 'OPTIONS') return json(200, { name: 'Film', renders: ['application/json', 'text/html'] })
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return detail(405, `Method '${request.method ?? ''}' not allowed.`, representation)
  }

  if (url.pathname === `${basePath}/`) return render(200, { films: `${url.origin}${basePath}/films/` }, representation)
  const id = resource[1]
  if (id === undefined) return filmPage(films, url, representation)
  const film = /^\d+$/.test(id) ? films[Number(id) - 1] : undefined
  if (!film) return detail(404, 'Not found', representation)
  return render(200, withUrl(film, Number(id), url), representation)
}

function filmPage(films: readonly RemoteFilm[], url: URL, representation: Representation): StandinAnswer {
  const words = (url.searchParams.get('search') ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  const found = films
    .map((film, index) => withUrl(film, index + 1, url))
    .filter((film) => words.every((word) => film.title.toLowerCase().includes(word)))
  const lastPage = Math.max(1, Math.ceil(found.length / filmsPerPage))
  const wanted = url.searchParams.get('page') ?? '1'
  const page = wanted === 'last' ? lastPage : /^\d+$/.test(wanted) ? Number(wanted) : 0
  if (page < 1 || page > lastPage) return detail(404, 'Not found', representation)

  const link = (to: number) => {
    const target = new URL(url)
    target.searchParams.set('page', String(to))
    return target.href
  }
  return render(
    200,
    {
      count: found.length,
      next: page < lastPage ? link(page + 1) : null,
      previous: page > 1 ? link(page - 1) : null,
      results: found.slice((page - 1) * filmsPerPage, page * filmsPerPage),
    },
    representation,
  )
}

function withUrl(film: RemoteFilm, id: number, url: URL): RemoteFilm {
  return 'url' in film ? film : { ...film, url: `${url.origin}${basePath}/films/${id}/` }
}

/** Django's APPEND_SLASH: an address that would be known with a slash at its end is redirected there. */
function missingSlash(url: URL): StandinAnswer | undefined {
  if (!/^\/api(\/films(\/[^/.]+)?)?$/.test(url.pathname)) return undefined
  // A path only: whatever host the request names, it leads to no other.
  const location = `${url.pathname}/${url.search}`
  return { status: 301, headers: { 'Content-Type': 'text/html; charset=utf-8', Location: location } }
}

function notFoundPage(): StandinAnswer {
  return {
    status: 404,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'X-Frame-Options': 'SAMEORIGIN' },
    body: '<!DOCTYPE html><html><head><title>Not Found</title></head><body><h1>Not Found</h1></body></html>',
  }
}

function detail(status: number, text: string, representation: Representation): StandinAnswer {
  return render(status, { detail: text }, representation)
}

function render(status: number, value: unknown, representation: Representation): StandinAnswer {
  if (representation === 'json') return json(status, value)
  const text = JSON.stringify(value, undefined, 4).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const body = `<!DOCTYPE html><html><head><title>Film API</title></head><body><pre>${text}</pre></body></html>`
  return { status, headers: apiHeaders('text/html; charset=utf-8'), body }
}

function json(status: number, value: unknown): StandinAnswer {
  return { status, headers: apiHeaders('application/json'), body: JSON.stringify(value) }
}

function apiHeaders(contentType: string): OutgoingHttpHeaders {
  return { 'Content-Type': contentType, Vary: 'Accept, Cookie', Allow: allow, 'X-Frame-Options': 'SAMEORIGIN' }
}

function withOrigin(request: IncomingMessage, answered: StandinAnswer): StandinAnswer {
  if (request.headers.origin === undefined) return answered
  return { ...answered, headers: { ...answered.headers, 'Access-Control-Allow-Origin': '*' } }
}
