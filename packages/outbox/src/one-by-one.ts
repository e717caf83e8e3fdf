import { reasonOf } from '@taproom/core/lines'
import type { Batch, Destination, Outcome, StoredMessage } from './destination.ts'

/** Delivers one message. A rejection counts as `waiting`. */
export type Deliver = (message: StoredMessage, signal: AbortSignal) => Promise<Outcome>

/**
 * A destination that takes messages one by one and at least once, such as a broker by HTTP. Messages with the same key are delivered one after
 * another; one that has to wait holds up the later ones with its key. `concurrency` deliveries at most are under way, 16 by default.
 */
export function oneByOne(deliver: Deliver, { concurrency = 16 }: { readonly concurrency?: number } = {}): Destination {
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new RangeError(`concurrency must be an integer of at least 1, received ${concurrency}`)
  }
  return {
    open: async () => ({
      last: undefined,
      write: (batch, signal) => deliverAll(batch, { deliver, concurrency, signal }),
      async [Symbol.asyncDispose]() {},
    }),
  }
}

interface Delivering {
  readonly deliver: Deliver
  readonly concurrency: number
  readonly signal: AbortSignal
}

async function deliverAll({ messages }: Batch, { deliver, concurrency, signal }: Delivering): Promise<Outcome[]> {
  const outcomes: Outcome[] = messages.map(() => ({ state: 'waiting', reason: 'an earlier message of its key waits' }))
  const lines = [...Map.groupBy(messages.keys(), (index) => messages[index]?.key ?? index).values()].values()
  async function work(): Promise<void> {
    for (const line of lines) {
      for (const index of line) {
        const message = messages[index]
        if (message === undefined || signal.aborted) return
        const outcome = await deliver(message, signal).catch(waiting)
        outcomes[index] = outcome
        if (outcome.state === 'waiting') break
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return outcomes
}

function waiting(error: unknown): Outcome {
  return { state: 'waiting', reason: reasonOf(error) }
}
