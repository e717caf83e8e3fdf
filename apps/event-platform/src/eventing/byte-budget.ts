import { EventRefusedError } from './errors.ts'

/** Bytes held for one event, until disposed of. */
export interface HeldBytes extends Disposable {
  /** @throws {EventRefusedError} when all events together would hold too many */
  add(bytes: number): void
}

/** Bounds the bytes of all events being accepted: from the first byte read until Kafka has the event, or it is refused. */
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
   * Starts with `bytes` read of `announced` in all.
   *
   * @throws {EventRefusedError} when there is no room
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

function busy(): EventRefusedError {
  return new EventRefusedError('BROKER_BUSY', 'too many events are being taken at once')
}
