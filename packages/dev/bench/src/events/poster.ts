import { Agent } from 'node:http'
import { parseEvent, sendEvent } from '@taproom/events'
import { EVENT_BODY, EVENT_HEADERS } from './sample-event.ts'

const CONCURRENCY = 64
const TIMEOUT_MS = 10_000

/** Sends events, each to all of the addresses, a limited number at the same time. */
export interface Poster extends Disposable {
  /** Resolves when all addresses have accepted all events. */
  post(urls: readonly string[], count: number): Promise<void>
}

/** A poster that sends as any service with @taproom/events does, over kept-alive connections. */
export function createPoster(): Poster {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY * 2 })
  const event = parseEvent(EVENT_HEADERS, EVENT_BODY)
  const postOne = async (url: string) => {
    const outcome = await sendEvent({ url, event, timeoutMs: TIMEOUT_MS, agent })
    if (!outcome.delivered) throw new Error(`${outcome.reason} ${outcome.status ?? ''}: POST ${url}`)
  }
  return {
    async post(urls, count) {
      let next = 0
      const work = async () => {
        while (next < count) {
          next += 1
          await Promise.all(urls.map(postOne))
        }
      }
      await Promise.all(Array.from({ length: Math.min(CONCURRENCY, count) }, work))
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}
