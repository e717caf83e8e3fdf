import { BEER_CATALOGUE, type RemoteBeer } from './beer-catalogue.ts'
import type { StandinAnswer } from './standin-answer.ts'
import { type Standin, type StandinOptions, startStandinServer } from './standin-server.ts'

export interface BeerStandinOptions extends StandinOptions {
  /** Beers in the order in which pages list them. Default: some thirty invented beers. */
  readonly beers?: readonly RemoteBeer[] | undefined
}

/**
 * Starts a stand-in for the remote beer service: bare arrays under `/v2/beers?page=&per_page=` (25 a page, 80 at most),
 * `[]` past the end, 400 naming every bad parameter, 404 elsewhere.
 */
export function startBeerStandin({ beers = BEER_CATALOGUE, ...where }: BeerStandinOptions = {}): Promise<Standin> {
  return startStandinServer({ ...where, basePath: '/v2' }, ({ method }, url) => {
    const isRead = method === 'GET' || method === 'HEAD'
    if (isRead && url.pathname === '/v2/beers') return beerPage(beers, url.searchParams)
    return problem(404, 'Not Found', `No endpoint found that matches '${url.pathname}'`)
  })
}

function beerPage(beers: readonly RemoteBeer[], query: URLSearchParams): StandinAnswer {
  const invalid: object[] = []
  const integer = (param: string, absent: number, max: number, msg: string) => {
    const value = query.getAll(param).join(',')
    if (!query.has(param)) return absent
    const number = /^[-+]?\d+$/.test(value) ? Number(value) : 0
    if (number < 1 || number > max) invalid.push({ location: 'query', param, msg, value })
    return number
  }
  const page = integer('page', 1, Number.MAX_SAFE_INTEGER, 'Must be a number greater than 0')
  const perPage = integer('per_page', 25, 80, 'Must be a number greater than 0 and less than 80')
  if (invalid.length > 0) return problem(400, 'Bad Request', 'Invalid query params', invalid)
  return { status: 200, json: beers.slice((page - 1) * perPage, page * perPage) }
}

function problem(status: number, error: string, message: string, data?: readonly object[]): StandinAnswer {
  return { status, json: { statusCode: status, error, message, ...(data && { data }) } }
}
