import { pause } from '@taproom/core/time'
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
  let refusals = 0
  let waiting = 0

  async function offer(index: number): Promise<void> {
    if (waiting >= MOST_WAITING) return
    waiting += 1
    const id = `event-${index}`
    while (!over.signal.aborted) {
      if (await isAccepted(id)) {
        accepted.add(id)
        break
      }
      refusals += 1
      await pause(AGAIN_MS, over.signal)
    }
    waiting -= 1
  }

  async function isAccepted(id: string): Promise<boolean> {
    const attributes = { 'ce-id': id, 'ce-type': 'greeting', 'ce-source': '/cluster', 'ce-specversion': '1.0' }
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...attributes, 'content-type': 'application/json' },
        body: JSON.stringify({ of: id }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await response.arrayBuffer()
      return response.status === 202
    } catch {
      return false
    }
  }

  const offering = steadily(perSecond, offer)
  return {
    accepted,
    get refusals() {
      return refusals
    },
    async [Symbol.asyncDispose]() {
      over.abort()
      await offering[Symbol.asyncDispose]()
    },
  }
}
