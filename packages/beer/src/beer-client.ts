import { createHttpGet, HttpClientError, type HttpGetAnswer, RedirectError } from '@taproom/http'
import { type Beer, toBeer } from './beer.ts'
import {
  BeerFormatError,
  BeerServiceAnswerError,
  BeerServiceError,
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
  /** Longest answer that is read. Default 1 MiB: the real service's 325 beers take 0.6; parsing much more would block the event loop. */
  readonly bodyLimitBytes?: number
}

const HEADERS = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'taproom-beer' }

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
  const get = createHttpGet(HEADERS, { bodyLimitBytes, tracer: '@taproom/beer' })

  return {
    async page(page, signal) {
      const url = pageUrl(base, positiveInteger('page', page))
      const target = `GET ${url.origin}${url.pathname} page ${page}`
      const timeout = AbortSignal.timeout(timeoutMs)
      try {
        const limit = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
        return readPage(await get(url, limit), target)
      } catch (error) {
        signal?.throwIfAborted()
        if (error instanceof BeerServiceError) throw error
        if (error instanceof RedirectError || error instanceof BeerFormatError || isTooLarge(error)) {
          throw new BeerServiceAnswerError(target, error.message, { cause: error })
        }
        if (timeout.aborted) throw new BeerServiceTimeoutError(target, timeoutMs, { cause: error })
        throw new BeerServiceUnreachableError(target, { cause: error })
      }
    },
  }
}

function isTooLarge(error: unknown): error is HttpClientError {
  return error instanceof HttpClientError && error.code === 'HTTP_ANSWER_TOO_LARGE'
}

function readPage({ status, headers, body }: HttpGetAnswer, target: string): Beer[] {
  if (status === 200) return toBeers(body)
  if (status !== 429 && status !== 503) throw new BeerServiceAnswerError(target, `answered ${status}`)
  const retryAfter = String(headers['retry-after'])
  throw new BeerServiceOverloadedError(target, status, /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : undefined)
}

function toBeers(body: Uint8Array): Beer[] {
  const list = parse(body, 'answer')
  if (!Array.isArray(list)) throw new BeerFormatError('answer is not a JSON array')
  return list.map(toBeer)
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
