export interface SleepOptions {
  /** Whether the wait alone keeps the process alive. Default true. */
  readonly keepsAlive?: boolean
}

/** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it aborts, and leaves no timer behind. */
export function sleep(ms: number, signal?: AbortSignal, { keepsAlive = true }: SleepOptions = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (!keepsAlive) timer.unref()
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/** Waits `ms` milliseconds or until the signal aborts, whichever is first; never throws. */
export function pause(ms: number, signal?: AbortSignal, options?: SleepOptions): Promise<void> {
  // Only an abort rejects, and it just ends the wait.
  return sleep(ms, signal, options).catch(() => undefined)
}
