import { postUntilAccepted } from '../../harness/post-event.ts'
import { steadily } from './steady.ts'

/** Events at a steady rate. One that is not accepted is offered again, as a client would. */
export interface OfferedEvents extends AsyncDisposable {
  /** Ids of those that were answered 202. */
  readonly accepted: ReadonlySet<string>
  /** How often the answer was another one, or none came. */
  readonly refusals: number
}

const TIMEOUT_MS = 30_000
const AGAIN_MS = 1000
/** While so many wait to be accepted no others are offered. */
const MOST_WAITING = 50

export function offerEvents({ url, perSecond }: { readonly url: string; readonly perSecond: number }): OfferedEvents {
  const accepted = new Set<string>()
  const over = new AbortController()
  let waiting = 0

  async function offer(index: number): Promise<void> {
    if (waiting >= MOST_WAITING) return
    waiting += 1
    const event = { id: `event-${index}`, type: 'greeting', source: '/cluster' }
    const isAccepted = await postUntilAccepted(url, event, {
      timeoutMs: TIMEOUT_MS,
      againMs: AGAIN_MS,
      signal: over.signal,
      onRefusal() {
        events.refusals += 1
        return false
      },
    })
    if (isAccepted) accepted.add(event.id)
    waiting -= 1
  }

  const events = {
    accepted,
    refusals: 0,
    async [Symbol.asyncDispose]() {
      over.abort()
      await offering[Symbol.asyncDispose]()
    },
  }
  const offering = steadily(perSecond, offer)
  return events
}
