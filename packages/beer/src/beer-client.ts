import { RedirectError, readBody, redirectTarget } from '@taproom/http'
import { clientSpan } from '@taproom/spans'
import { type Beer, toBeer } from './beer.ts'
import {
  BeerFormatError,
  BeerServiceAnswerError,
  BeerServiceOverloadedError,
  BeerServiceTimeoutError,
  BeerServiceUnreachableError,
} from './errors.ts'
import { parse } from './json.ts'

export interface BeerClientOptions {
  /** Base address; `/beers?page=N` is appended, a query it has is kept. */
  readonly url: string
  /** Time for one call, from connecting to the last byte. Default 5000. */
  readonly timeoutMs?: number
  /**
   * Longest answer that is read, decompressed. Default 1 MiB: the real service's 325 beers take 0.6; parsing much more would block the
   * event loop.
   */
  readonly bodyLimitBytes?: number
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
}

/** The remote beer service, one page a call. */
export interface BeerClient {
  /**
   * Fetches one page, counted from 1; past the end it is `[]`. Follows five redirects, never from https to http. One attempt; calls may run
   * at the same time. An abort of `signal` also ends the connection.
   *
   * @throws {BeerServiceError} when the call fails; the reason of `signal` when that is aborted
   */
  page(page: number, signal?: AbortSignal): Promise<Beer[]>
}

/**
 * Makes a client of a beer service that answers `GET {url}/beers?page=N` with a JSON array.
 *
 * @throws {TypeError} when `url` is not http(s) or carries credentials
 * @throws {RangeError} when a limit is not a positive integer
 */
export function createBeerClient(options: BeerClientOptions): BeerClient {
  const base = checkedUrl(options.url)
  const timeoutMs = positiveInteger('timeoutMs', options.timeoutMs ?? 5000)
  const bodyLimitBytes = positiveInteger('bodyLimitBytes', options.bodyLimitBytes ?? 1024 * 1024)
  const fetch = options.fetch ?? globalThis.fetch

  return {
    async page(page, signal) {
      const url = pageUrl(base, positiveInteger('page', page))
      const target = `GET ${url.origin}${url.pathname} page ${page}`
      const timeout = AbortSignal.timeout(timeoutMs)
      const limit = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
      try {
        const response = await fetchFollowing(fetch, url, { headers: { Accept: 'application/json' }, signal: limit })
        return await readPage(response, { target, bodyLimitBytes })
      } catch (error) {
        signal?.throwIfAborted()
        if (error instanceof RedirectError) throw new BeerServiceAnswerError(target, error.message, { cause: error })
        if (error instanceof BeerServiceAnswerError || error instanceof BeerServiceOverloadedError) throw error
        if (timeout.aborted) throw new BeerServiceTimeoutError(target, timeoutMs, { cause: error })
        throw new BeerServiceUnreachableError(target, { cause: error })
      }
    },
  }
}

/** In a span that ends with the head of the answer. */
async function fetchOnce(fetch: typeof globalThis.fetch, url: URL, init: RequestInit): Promise<Response> {
  const span = clientSpan('@taproom/beer', { method: 'GET', url })
  try {
    const headers = { ...init.headers, ...span?.headers }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    span?.answered(response.status)
    span?.end()
    return response
  } catch (error) {
    span?.end(error)
    throw error
  }
}

/** `fetch` alone would follow twenty redirects, also from https to http. */
async function fetchFollowing(fetch: typeof globalThis.fetch, url: URL, init: RequestInit): Promise<Response> {
  let from = url
  for (let followed = 0; ; followed += 1) {
    const response = await fetchOnce(fetch, from, init)
    const location = response.headers.get('location')
    const target = redirectTarget({ status: response.status, location, from, followed })
    if (target === undefined) return response
    await response.body?.cancel()
    from = target
  }
}

async function readPage(response: Response, limits: { target: string; bodyLimitBytes: number }): Promise<Beer[]> {
  const { target, bodyLimitBytes } = limits
  if (response.status !== 200) {
    await response.body?.cancel()
    if (response.status === 429 || response.status === 503) {
      throw new BeerServiceOverloadedError(target, response.status, retryAfterSeconds(response))
    }
    throw new BeerServiceAnswerError(target, `answered ${response.status}`)
  }
  const body = await readBody(response.body, bodyLimitBytes)
  if (body === undefined) throw new BeerServiceAnswerError(target, `answer exceeds ${bodyLimitBytes} bytes`)
  return toBeers(body, target)
}

function toBeers(body: Uint8Array, target: string): Beer[] {
  try {
    const list = parse(body, 'answer')
    if (!Array.isArray(list)) throw new BeerFormatError('answer is not a JSON array')
    return list.map(toBeer)
  } catch (error) {
    if (error instanceof BeerFormatError) throw new BeerServiceAnswerError(target, error.message, { cause: error })
    throw error
  }
}

function retryAfterSeconds(response: Response): number | undefined {
  const value = response.headers.get('retry-after')
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) : undefined
}

function checkedUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new TypeError('url must be an http or https URL')
  if (url.username !== '' || url.password !== '') throw new TypeError('url must not carry credentials')
  return url
}

function pageUrl(base: URL, page: number): URL {
  const url = new URL(base)
  url.pathname = `${base.pathname.replace(/\/+$/, '')}/beers`
  url.searchParams.set('page', String(page))
  url.hash = ''
  return url
}

function positiveInteger(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 1)
    throw new RangeError(`${name} must be a positive integer, received ${value}`)
  return value
}
