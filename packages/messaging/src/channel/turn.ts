import { setImmediate } from 'node:timers/promises'

/** How long messages are looked at before the event loop gets a turn, in ms. */
const TURN_MS = 10

/** The part of a turn of the event loop that a loop over messages may take: handlers that never wait must not block it. */
export class Turn {
  #beganAt = performance.now()

  get isOver(): boolean {
    return performance.now() - this.#beganAt > TURN_MS
  }

  /** Goes on in another turn: in the next one, or when the given promise resolves. */
  async next(come: Promise<void> = setImmediate()): Promise<void> {
    await come
    this.#beganAt = performance.now()
  }
}
