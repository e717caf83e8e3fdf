import { setTimeout as delay } from 'node:timers/promises'
import { postUntilAccepted } from '../../harness/post-event.ts'
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
      await offer(index, offers)
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, work))
}

async function offer(index: number, { url, ledger, signal }: Offers): Promise<void> {
  const event = { id: `event-${index}`, type: typeOf(index), source: '/chaos' }
  ledger.offer(event.id, event.type)
  const isAccepted = await postUntilAccepted(url, event, {
    timeoutMs: TIMEOUT_MS,
    againMs: RETRY_MS,
    signal,
    onRefusal(status = 500) {
      if (status < 500) ledger.complain(`${event.id} was refused with ${status}`)
      return status < 500
    },
  })
  if (isAccepted) ledger.accept(event.id)
}
