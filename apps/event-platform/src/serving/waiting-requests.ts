import type { Lease } from './instance-pool.ts'

/** Requests waiting for an instance, first come first served. */
export class WaitingRequests {
  readonly #waiters = new Set<PromiseWithResolvers<Lease>>()

  get size(): number {
    return this.#waiters.size
  }

  /** Waits for a lease; rejects with `onTimeout`'s error after `timeoutMs`, or when the signal aborts. */
  async wait(signal: AbortSignal, timeoutMs: number, onTimeout: () => Error): Promise<Lease> {
    const waiter = Promise.withResolvers<Lease>()
    const onAbort = () => this.#reject(waiter, signal.reason)
    const timer = setTimeout(() => this.#reject(waiter, onTimeout()), timeoutMs)
    signal.addEventListener('abort', onAbort)
    this.#waiters.add(waiter)
    try {
      return await waiter.promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Serves waiting requests while `lease` gives leases. */
  serve(lease: () => Lease | undefined): void {
    for (const waiter of this.#waiters) {
      const next = lease()
      if (next === undefined) return
      this.#waiters.delete(waiter)
      waiter.resolve(next)
    }
  }

  rejectAll(error: Error): void {
    for (const waiter of this.#waiters) this.#reject(waiter, error)
  }

  #reject(waiter: PromiseWithResolvers<Lease>, error: Error): void {
    this.#waiters.delete(waiter)
    waiter.reject(error)
  }
}
