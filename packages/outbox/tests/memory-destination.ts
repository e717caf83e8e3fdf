import type { Batch, Destination, DestinationSession, Outcome, StoredMessage } from '../src/destination.ts'

/** Keeps batches as Kafka does: all of a batch or nothing, with its number, for the newest session alone. */
export class MemoryDestination implements Destination {
  readonly messages: StoredMessage[] = []
  readonly sizes: number[] = []
  /** Called before a batch is kept: may throw. */
  beforeCommit: (batch: Batch) => void = () => undefined
  /** Called after it is kept: what it throws reaches the outbox. */
  afterCommit: (batch: Batch) => void = () => undefined
  isRefused: (message: StoredMessage) => boolean = () => false
  /** By the ids of outboxes. */
  readonly #last = new Map<string, number>()
  #sessions = 0

  get texts(): string[] {
    return this.messages.map(({ value }) => String(value))
  }

  async open({ outboxId }: { readonly outboxId: string }): Promise<DestinationSession> {
    this.#sessions += 1
    const session = this.#sessions
    return {
      last: this.#last.get(outboxId) ?? 0,
      write: async (batch) => {
        if (session !== this.#sessions) throw new Error('fenced')
        this.beforeCommit(batch)
        this.sizes.push(batch.messages.length)
        if (batch.messages.some(this.isRefused)) return batch.messages.map(refused)
        this.#last.set(outboxId, batch.number)
        this.messages.push(...batch.messages)
        this.afterCommit(batch)
        return batch.messages.map(() => ({ state: 'delivered' }))
      },
      async [Symbol.asyncDispose]() {},
    }
  }
}

function refused(): Outcome {
  return { state: 'refused', reason: 'too large' }
}
