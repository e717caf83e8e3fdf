import { Agent, request } from 'node:http'
import { eventBody, eventHeaders } from './sample-event.ts'

/** Requests under way at a time. */
const CONCURRENCY = 64

/** Sends events, each to all of the addresses, with a bounded number of them under way. */
export interface Poster extends Disposable {
  /** Resolves when all events were answered 2xx by all addresses. */
  post(urls: readonly string[], count: number): Promise<void>
}

/** A poster with kept-alive connections. */
export function createPoster(): Poster {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY * 2 })
  return {
    async post(urls, count) {
      let next = 0
      const work = async () => {
        while (next < count) {
          next += 1
          await Promise.all(urls.map((url) => postOne(url, agent)))
        }
      }
      await Promise.all(Array.from({ length: Math.min(CONCURRENCY, count) }, work))
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}

function postOne(url: string, agent: Agent): Promise<void> {
  const { host: _host, ...headers } = eventHeaders
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: 'POST',
      agent,
      headers: { ...headers, 'content-length': eventBody.length },
    })
    outgoing.on('error', reject)
    outgoing.on('response', (answer) => {
      answer.resume()
      answer.on('error', reject)
      answer.on('end', () => {
        if ((answer.statusCode ?? 0) < 300) resolve()
        else reject(new Error(`status ${answer.statusCode}: POST ${url}`))
      })
    })
    outgoing.end(eventBody)
  })
}
