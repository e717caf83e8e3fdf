import type { ServerResponse } from 'node:http'
import { atMost, pause } from '@taproom/core/time'
import { ProxyError } from '@taproom/http'

export interface HeldRequestsOptions {
  /** Resolves when a service has been restarted; undefined while it is not being restarted. */
  restartOf(service: string): Promise<void> | undefined
  /** Most requests that wait at a time; further ones are refused. Default 1000. */
  readonly maxHeld?: number | undefined
  /** How long one waits at most. Default 30 000 ms. */
  readonly holdMs?: number | undefined
}

export interface AnsweredOptions {
  /** Is true for an answer that has come far enough. Default: it has begun, or its client is gone. */
  readonly isEnough?: (response: ServerResponse) => boolean
  /** How long to wait at most, in ms. Default: without a limit. */
  readonly limitMs?: number
}

/** How often is looked whether all is answered, in ms: only while a service is about to be restarted. */
const LOOK_MS = 5

/**
 * Requests that wait while their service is restarted. Their bodies wait too: no more of them is read than a connection buffers (64 KiB, and
 * what the system buffers).
 */
export class HeldRequests {
  readonly #options: HeldRequestsOptions
  readonly #unanswered = new Map<string, Set<ServerResponse>>()
  #held = 0

  constructor(options: HeldRequestsOptions) {
    this.#options = options
  }

  isRestarting(service: string): boolean {
    return this.#options.restartOf(service) !== undefined
  }

  /**
   * Waits until a service is not being restarted, or the client is gone, or the time is over.
   *
   * @throws {ProxyError} `PROXY_BUSY` when too many wait already
   */
  async pass(service: string, response: ServerResponse): Promise<void> {
    const { restartOf, maxHeld = 1000, holdMs = 30_000 } = this.#options
    if (restartOf(service) === undefined) return
    if (this.#held >= maxHeld) throw new ProxyError('PROXY_BUSY', `${maxHeld} requests wait for a restart already`)
    this.#held += 1
    const gone = new Promise<void>((resolve) => void response.once('close', resolve))
    try {
      const deadline = performance.now() + holdMs
      for (let restart = restartOf(service); restart !== undefined; restart = restartOf(service)) {
        const leftMs = deadline - performance.now()
        if (leftMs <= 0 || response.destroyed) return
        await atMost(Promise.race([restart, gone]), leftMs)
      }
    } finally {
      this.#held -= 1
    }
  }

  /** Counts a request as one that its service has yet to begin to answer; returns what ends that. */
  sent(service: string, response: ServerResponse): () => void {
    const unanswered = this.#unanswered.get(service) ?? new Set()
    this.#unanswered.set(service, unanswered.add(response))
    return () => void unanswered.delete(response)
  }

  /** Resolves when a service has begun to answer all that was sent to it, or when the limit is over. */
  async answered(service: string, { isEnough = hasBegun, limitMs = Infinity }: AnsweredOptions = {}): Promise<void> {
    const unanswered = this.#unanswered.get(service) ?? new Set()
    const deadline = performance.now() + limitMs
    while (performance.now() < deadline && ![...unanswered].every(isEnough)) await pause(LOOK_MS)
  }
}

function hasBegun(response: ServerResponse): boolean {
  return response.headersSent || response.destroyed
}
