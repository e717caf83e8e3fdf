import type { Lease } from './instance-pool.ts'

interface Waiter {
  resolve(lease: Lease): void
  reject(error: Error): void
}

/** Requests waiting for an instance, first come first served. */
export class WaitingRequests {
  readonly #waiters = new Set<Waiter>()

  get size(): number {
    return this.#waiters.size
  }

  /** Waits for a lease; rejects with `onTimeout`'s error after `timeoutMs`, or when the signal aborts. */
  wait(signal: AbortSignal, timeoutMs: number, onTimeout: () => Error): Promise<Lease> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        this.#waiters.delete(waiter)
      }
      const waiter: Waiter = {
        resolve: (lease) => {
          settle()
          resolve(lease)
        },
        reject: (error) => {
          settle()
          reject(error)
        },
      }
      const onAbort = () => waiter.reject(signal.reason)
      const timer = setTimeout(() => waiter.reject(onTimeout()), timeoutMs)
      signal.addEventListener('abort', onAbort)
      this.#waiters.add(waiter)
    })
  }

  /** Serves waiting requests while `lease` gives leases. */
  serve(lease: () => Lease | undefined): void {
    for (const waiter of this.#waiters) {
      const next = lease()
      if (next === undefined) return
      waiter.resolve(next)
    }
  }

  rejectAll(error: Error): void {
    for (const waiter of this.#waiters) waiter.reject(error)
  }
}
