import { BrokerBusyError } from './errors.ts'

/** Bytes that are held for one event; given back when it is disposed of. */
export interface HeldBytes extends Disposable {
  /**
   * Holds more.
   *
   * @throws {BrokerBusyError} when too many are held, by all together
   */
  add(bytes: number): void
}

/** Bounds the bytes of all events that are being taken: from the first one read until Kafka has the event, or it is refused. */
export class ByteBudget {
  readonly #limit: number
  #held = 0

  constructor(limitBytes: number) {
    this.#limit = limitBytes
  }

  get held(): number {
    return this.#held
  }

  /**
   * Begins to take an event whose first `bytes` are there and of which `announced` in all will come.
   *
   * @throws {BrokerBusyError} when there is no room for it
   */
  hold({ bytes, announced }: { readonly bytes: number; readonly announced: number }): HeldBytes {
    if (this.#held + announced > this.#limit) throw busy()
    let own = 0
    const add = (more: number) => {
      if (this.#held + more > this.#limit) throw busy()
      this.#held += more
      own += more
    }
    add(bytes)
    return {
      add,
      [Symbol.dispose]: () => {
        this.#held -= own
        own = 0
      },
    }
  }
}

function busy(): BrokerBusyError {
  return new BrokerBusyError('too many events are being taken at once')
}
