/**
 * Runs work inside a batch while heartbeats go on. When a heartbeat fails (a rebalance, Kafka gone) the work's signal
 * aborts, and the heartbeat's error is thrown once the work has ended.
 */
export async function keepAlive<T>(
  heartbeat: () => Promise<void>,
  intervalMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const given = new AbortController()
  const beat = setInterval(() => heartbeat().catch((error: unknown) => given.abort(error)), intervalMs)
  try {
    const result = await work(given.signal)
    given.signal.throwIfAborted()
    return result
  } finally {
    clearInterval(beat)
  }
}
