import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers'
import { inThisSpan } from '@taproom/core/spans'

export interface RequestTurnsOptions {
  readonly handle: RequestListener
  /** Whether a request never waits. */
  readonly passes: (req: IncomingMessage) => boolean
  /** Called with a request that has to wait. */
  readonly waits: RequestListener
  /** Whether nobody would get the answer any more. */
  readonly isGone: (req: IncomingMessage, res: ServerResponse) => boolean
  /** Calls back at the end of a turn. Default `setImmediate`. */
  readonly atEnd?: (next: () => void) => void
}

/** Most requests that one turn of the event loop begins without answering them at once. */
const BEGUN_A_TURN = 16

/**
 * Begins requests in the order in which they came, sixteen in a turn of the event loop, besides those that are answered at once while
 * nobody waits. So a busy process ends what it has begun before it begins more: requests that are all begun take as long as all of them
 * together, and what they hold lives through several collections of new objects, each of which copies it. A process that has time begins
 * the next ones in its next turn.
 */
export class RequestTurns {
  readonly #options: Required<RequestTurnsOptions>
  readonly #waiting: (() => void)[] = []
  /** Runs what is no request's in no request's context. */
  readonly #outside = AsyncLocalStorage.snapshot()
  readonly #next = () => this.#nextTurn()
  #begun = 0
  #isCounting = false

  constructor(options: RequestTurnsOptions) {
    this.#options = { atEnd: setImmediate, ...options }
  }

  /** At once, or when it is its turn; in the span that is active now. */
  begin(req: IncomingMessage, res: ServerResponse): void {
    const hasRoom = this.#begun < BEGUN_A_TURN && this.#waiting.length === 0
    if (hasRoom || this.#options.passes(req)) {
      this.#begin(req, res)
      return
    }
    this.#options.waits(req, res)
    // Not AsyncLocalStorage.snapshot, whose resources make every exchange old.
    const inSpan = inThisSpan()
    this.#waiting.push(() => {
      if (!this.#options.isGone(req, res)) inSpan(() => this.#begin(req, res))
    })
  }

  #begin(req: IncomingMessage, res: ServerResponse): void {
    this.#options.handle(req, res)
    if (res.writableEnded) return
    this.#begun += 1
    this.#count()
  }

  /** Until the end of this turn. */
  #count(): void {
    if (this.#isCounting) return
    this.#isCounting = true
    this.#outside(this.#options.atEnd, this.#next)
  }

  #nextTurn(): void {
    this.#begun = 0
    this.#isCounting = false
    if (this.#waiting.length === 0) return
    // Also when a handler throws: the others are begun all the same.
    this.#count()
    for (let taken = 0; taken < BEGUN_A_TURN; taken += 1) this.#waiting.shift()?.()
  }
}
