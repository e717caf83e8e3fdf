import { reasonOf } from '@taproom/core/lines'
import { createBackOff, createOutage, type Outage, type OutageLog } from '@taproom/core/time'
import type { IncomingMessage } from '../channel/message.ts'
import { RETRY_WAITS } from '../kafka/client.ts'

/** True for an error with `isTransient: true`: the handler cannot work now, whatever the message is. */
export function isTransient(error: unknown): boolean {
  return error instanceof Error && 'isTransient' in error && error.isTransient === true
}

/** A message whose handler failed. */
export interface TransientFailure {
  readonly message: Pick<IncomingMessage, 'topic' | 'partition' | 'offset'>
  readonly error: unknown
}

interface Wait {
  readonly reason: string
  readonly backOff: ReturnType<typeof createBackOff>
}

/** The work of one channel that waits for another attempt after a transient failure. An object stands for each piece of work. */
export class TransientFailures {
  readonly #channel: string
  readonly #outage: Outage
  readonly #waits = new Map<object, Wait>()

  constructor(channel: string, log: OutageLog) {
    this.#channel = channel
    this.#outage = createOutage(log, 'kafka message cannot be handled now, trying again')
  }

  /** Why work waits; undefined while none does. */
  get reason(): string | undefined {
    const [first] = this.#waits.values()
    return first?.reason
  }

  /** Waits before the next attempt, longer after each failure; ends early, without throwing, when `until` aborts. */
  async wait(work: object, { message, error }: TransientFailure, until: AbortSignal): Promise<void> {
    const { topic, partition, offset } = message
    const { backOff } = this.#waits.get(work) ?? { backOff: createBackOff(RETRY_WAITS) }
    this.#waits.set(work, { reason: reasonOf(error), backOff })
    this.#outage.failed({ channel: this.#channel, topic, partition, offset, err: error })
    await backOff.wait(until)
  }

  /** The work is done, or is not tried again here. */
  end(work: object): void {
    if (this.#waits.delete(work) && this.#waits.size === 0) this.#outage.over()
  }
}
