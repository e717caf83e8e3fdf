/**
 * Sends heartbeats while a batch is being worked on. When one fails (rebalance, Kafka away) the signal aborts, and the
 * heartbeat's error is thrown once the work has ended.
 */
export async function keepAlive<T>(
  heartbeat: () => Promise<void>,
  intervalMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const broken = new AbortController()
  const beat = setInterval(() => heartbeat().catch((error: unknown) => broken.abort(error)), intervalMs)
  try {
    const result = await work(broken.signal)
    broken.signal.throwIfAborted()
    return result
  } finally {
    clearInterval(beat)
  }
}
