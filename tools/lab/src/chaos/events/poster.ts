import { setTimeout as delay } from 'node:timers/promises'
import { postEvent } from '../../harness/post-event.ts'
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
  const startedAt = performance.now()
  let next = 0
  const work = async () => {
    while (next < count) {
      const index = next
      next += 1
      const wait = startedAt + (index / rate) * 1000 - performance.now()
      if (wait > 0) await delay(wait, undefined, { signal: offers.signal })
      await postUntilAccepted(index, offers)
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, work))
}

async function postUntilAccepted(index: number, { url, ledger, signal }: Offers): Promise<void> {
  const id = `event-${index}`
  ledger.offer(id, typeOf(index))
  for (;;) {
    const status = await postEvent(url, { id, type: typeOf(index), source: '/chaos' }, TIMEOUT_MS)
    if (status === 202) return ledger.accept(id)
    if (status !== undefined && status < 500) return ledger.complain(`${id} was refused with ${status}`)
    await delay(RETRY_MS, undefined, { signal })
  }
}
