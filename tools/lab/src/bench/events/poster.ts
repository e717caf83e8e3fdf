import { Agent, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { EVENT_BODY, EVENT_HEADERS } from './sample-event.ts'

const CONCURRENCY = 64
const TIMEOUT_MS = 10_000

/** Sends events, each to all of the addresses, a limited number at the same time. */
export interface Poster extends Disposable {
  /** Resolves when all addresses have accepted all events. */
  post(urls: readonly string[], count: number): Promise<void>
  /** Posts so many events a second to an address, whatever became of those before. The id of each is the time at which it was due. */
  postEvenly(url: string, pace: { readonly count: number; readonly perSecond: number }): Promise<void>
}

/** A poster of plain node:http over kept-alive connections: the same for the broker as for its subscribers, and the same in every version. */
export function createPoster(): Poster {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY * 2 })
  const headers = { ...EVENT_HEADERS, 'content-length': EVENT_BODY.length }
  const postOne = (url: string, id?: string) =>
    new Promise<void>((resolve, reject) => {
      request(
        url,
        {
          method: 'POST',
          agent,
          headers: { ...headers, ...(id !== undefined && { 'ce-id': id }) },
          timeout: TIMEOUT_MS,
        },
        (response) => {
          const { statusCode = 0 } = response
          if (statusCode < 200 || statusCode > 299) reject(new Error(`${statusCode}: POST ${url}`))
          response.on('end', resolve).on('error', reject).resume()
        },
      )
        .on('error', reject)
        .end(EVENT_BODY)
    })
  return {
    async post(urls, count) {
      let next = 0
      const work = async () => {
        while (next < count) {
          next += 1
          await Promise.all(urls.map((url) => postOne(url)))
        }
      }
      await Promise.all(Array.from({ length: Math.min(CONCURRENCY, count) }, work))
    },
    async postEvenly(url, { count, perSecond }) {
      const startedAt = now()
      const posts: Promise<void>[] = []
      for (let number = 0; number < count; number += 1) {
        const dueAt = startedAt + (number * 1000) / perSecond
        const wait = dueAt - now()
        if (wait > 0) await setTimeout(wait)
        posts.push(postOne(url, String(dueAt)))
      }
      await Promise.all(posts)
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}

/** Milliseconds since the epoch, finer than `Date.now`. */
export function now(): number {
  return performance.timeOrigin + performance.now()
}
