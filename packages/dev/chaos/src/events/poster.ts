import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { type Ledger, typeOf } from './ledger.ts'

const WORKERS = 32
const TIMEOUT_MS = 10_000
const RETRY_MS = 100

interface Offers {
  readonly url: string
  readonly ledger: Ledger
  readonly signal: AbortSignal
}

interface PostOptions extends Offers {
  readonly count: number
  /** Events per second at most. */
  readonly rate: number
}

/** Offers events until `count` are accepted; an event that is not accepted is offered again, as any client would. */
export async function postEvents({ count, rate, ...offers }: PostOptions): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: WORKERS })
  const startedAt = performance.now()
  let next = 0
  const work = async () => {
    while (next < count) {
      const index = next
      next += 1
      const wait = startedAt + (index / rate) * 1000 - performance.now()
      if (wait > 0) await delay(wait, undefined, { signal: offers.signal })
      await postUntilAccepted(index, agent, offers)
    }
  }
  try {
    await Promise.all(Array.from({ length: WORKERS }, work))
  } finally {
    agent.destroy()
  }
}

async function postUntilAccepted(index: number, agent: Agent, { url, ledger, signal }: Offers): Promise<void> {
  const id = `event-${index}`
  ledger.offer(id, typeOf(index))
  for (;;) {
    const status = await post(url, { id, type: typeOf(index), body: dataOf(id), agent })
    if (status === 202) return ledger.accept(id)
    if (status !== undefined && status < 500) return ledger.complain(`${id} was refused with ${status}`)
    await delay(RETRY_MS, undefined, { signal })
  }
}

/** An event's data, by which a delivery is checked. */
export function dataOf(id: string): string {
  return JSON.stringify({ of: id })
}

/** The answer's status; undefined when there is none. */
function post(
  url: string,
  { id, type, body, agent }: { id: string; type: string; body: string; agent: Agent },
): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>()
  const outgoing = request(url, {
    method: 'POST',
    agent,
    timeout: TIMEOUT_MS,
    headers: {
      'ce-id': id,
      'ce-type': type,
      'ce-source': '/chaos',
      'ce-specversion': '1.0',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  })
  outgoing.on('response', (response) => {
    response.resume()
    response.on('error', () => resolve(undefined))
    response.on('end', () => resolve(response.statusCode))
  })
  outgoing.on('timeout', () => outgoing.destroy())
  outgoing.on('error', () => resolve(undefined))
  outgoing.on('close', () => resolve(undefined))
  outgoing.end(body)
  return promise
}
