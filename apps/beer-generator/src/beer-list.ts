import { type Beer, type BeerClient, BeerServiceError } from '@taproom/beer'
import { backOffMs, sleep } from '@taproom/core/time'

export interface BeerListFailure {
  readonly error: unknown
  readonly attempt: number
  readonly retryInMs: number
}

export interface BeerListOptions {
  readonly client: BeerClient
  /** Beers wanted; fewer when the service has fewer. */
  readonly size: number
  readonly signal: AbortSignal
  onFailure?(failure: BeerListFailure): void
  /** Rejects when the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** The beer service has no beers at all. */
export class EmptyBeerListError extends Error {
  override readonly name = 'EmptyBeerListError'
  readonly code = 'BEER_LIST_EMPTY'
}

const RETRY_WAITS = { firstMs: 250, longestMs: 5000 }

/**
 * Loads the first `size` beers, page 1 onward, retrying for ever with a back-off that doubles up to five seconds. Rejects only with the
 * reason of `signal`, or when a retry cannot help.
 */
export async function loadBeerList(options: BeerListOptions): Promise<readonly Beer[]> {
  const { signal, onFailure, wait = sleep } = options
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await takeBeers(options)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof BeerServiceError) && !(error instanceof EmptyBeerListError)) throw error
      const retryInMs = backOffMs(attempt - 1, RETRY_WAITS)
      onFailure?.({ error, attempt, retryInMs })
      await wait(retryInMs, signal)
    }
  }
}

async function takeBeers({ client, size, signal }: BeerListOptions): Promise<readonly Beer[]> {
  const beers: Beer[] = []
  for (let page = 1; beers.length < size; page += 1) {
    const found = await client.page(page, signal)
    if (found.length === 0) break
    beers.push(...found)
  }
  if (beers.length === 0) throw new EmptyBeerListError('the beer service lists no beers')
  return beers.slice(0, size)
}
