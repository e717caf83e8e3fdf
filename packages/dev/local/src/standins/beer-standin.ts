import type { IncomingMessage } from 'node:http'
import { beerCatalogue, type RemoteBeer } from './beer-catalogue.ts'
import { type Standin, type StandinAnswer, startStandinServer } from './standin-server.ts'

/** Options of {@link startBeerStandin}. */
export interface BeerStandinOptions {
  /** Beers in the order in which pages list them. Default: some thirty invented beers. */
  readonly beers?: readonly RemoteBeer[] | undefined
  /** Port to listen on; 0, the default, means any free one. */
  readonly port?: number | undefined
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string | undefined
  /** Source of `/beers/random`, from 0 up to but not including 1. Default `Math.random`. */
  readonly random?: (() => number) | undefined
}

const basePath = '/v2'

interface InvalidParameter {
  readonly location: 'query' | 'params'
  readonly param: string
  readonly msg: string
  readonly value: string
}

/**
 * Starts a stand-in for the remote beer service that answers as the real one does: bare arrays under
 * `/v2/beers?page=&per_page=` (25 a page, 80 at most), `[]` past the end, 400 naming every bad parameter, 404 elsewhere,
 * the filters `abv_gt`, `abv_lt` and their like. It does not limit requests.
 */
export function startBeerStandin(options: BeerStandinOptions = {}): Promise<Standin> {
  const beers = options.beers ?? beerCatalogue
  const random = options.random ?? Math.random
  return startStandinServer({
    host: options.host,
    port: options.port,
    basePath,
    etag: 'weak',
    answer: (request, url) => answer(beers, random, request, url),
  })
}

function answer(beers: readonly RemoteBeer[], random: () => number, request: IncomingMessage, url: URL): StandinAnswer {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const path = /^\/v2\/beers(?:\/([^/]+))?\/?$/.exec(url.pathname)
  if (!isRead || !path) return problem(404, 'Not Found', `No endpoint found that matches '${url.pathname}'`)
  const id = path[1]
  if (id === undefined) return beerPage(beers, url.searchParams)
  if (id === 'random') return json(200, beers.slice(Math.floor(random() * beers.length)).slice(0, 1))
  return oneBeer(beers, id)
}

function beerPage(beers: readonly RemoteBeer[], query: URLSearchParams): StandinAnswer {
  const invalid: InvalidParameter[] = []
  const integer = (param: string, absent: number, max: number, msg: string) => {
    const value = query.getAll(param).join(',')
    if (!query.has(param)) return absent
    const number = /^[-+]?\d+$/.test(value) ? Number(value) : 0
    if (number < 1 || number > max) invalid.push({ location: 'query', param, msg, value })
    return number
  }
  const page = integer('page', 1, Number.MAX_SAFE_INTEGER, 'Must be a number greater than 0')
  const perPage = integer('per_page', 25, 80, 'Must be a number greater than 0 and less than 80')

  let found = beers
  for (const member of ['abv', 'ibu', 'ebc']) {
    for (const side of ['gt', 'lt'] as const) {
      const param = `${member}_${side}`
      const value = query.get(param)
      if (value === null) continue
      const limit = value.trim() === '' ? Number.NaN : Number(value)
      if (!(limit >= 0)) invalid.push({ location: 'query', param, msg: 'Must be a number greater than 0', value })
      found = found.filter((beer) => isBeyond(beer[member], side, limit))
    }
  }
  if (invalid.length > 0) return problem(400, 'Bad Request', 'Invalid query params', invalid)
  return json(200, found.slice((page - 1) * perPage, page * perPage))
}

function isBeyond(value: unknown, side: 'gt' | 'lt', limit: number): boolean {
  return typeof value === 'number' && (side === 'gt' ? value > limit : value < limit)
}

function oneBeer(beers: readonly RemoteBeer[], id: string): StandinAnswer {
  if (!/^\+?\d+$/.test(id) || Number(id) < 1) {
    const msg = 'beerId must be a number and greater than 0'
    return problem(400, 'Bad Request', 'Invalid query params', [
      { location: 'params', param: 'beerId', msg, value: decodeURIComponentSafe(id) },
    ])
  }
  const beer = beers.find((candidate) => candidate.id === Number(id))
  return beer ? json(200, [beer]) : problem(404, 'Not Found', `No beer found that matches the ID ${id}`)
}

function decodeURIComponentSafe(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A broken percent-encoding is shown as it came.
    return text
  }
}

function problem(statusCode: number, error: string, message: string, data?: readonly InvalidParameter[]) {
  return json(statusCode, { statusCode, error, message, ...(data && { data }) })
}

function json(status: number, value: unknown): StandinAnswer {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Access-Control-Allow-Origin': '*' },
    body: JSON.stringify(value),
  }
}
