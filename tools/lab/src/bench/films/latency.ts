import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { type Contender, contender } from '../../harness/contender.ts'
import { median } from '../estimate.ts'

const REQUESTS = 40

/** Requests sent one after another over one connection. The rate is one over the median of the time that each takes on the clock. */
export function latency(name: string, url: string): Contender {
  return contender(name, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      const times: number[] = []
      for (let count = 0; count < REQUESTS; count += 1) {
        const startedAt = performance.now()
        await getFilms(url, agent)
        times.push(performance.now() - startedAt)
      }
      return 1000 / median(times)
    } finally {
      agent.destroy()
    }
  })
}

/** Reads an answer to its end. @throws {Error} when its status is not 200 */
export async function getFilms(url: string, agent: Agent): Promise<void> {
  const [answer] = (await once(get(url, { agent }), 'response')) as [IncomingMessage]
  if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}: GET ${url}`)
  await once(answer.resume(), 'end')
}
