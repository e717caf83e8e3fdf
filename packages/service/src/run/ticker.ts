/** After the process was blocked, missed ticks of up to this time are made up for, but at least one. */
const CATCH_UP_MS = 100

/**
 * Calls `onTick` at once and then at every multiple of the interval, on the monotonic clock, so that late timers do not add up. Disposing of
 * it ends that.
 */
export function startTicker({ intervalMs, onTick }: { intervalMs: number; onTick(): void }): Disposable {
  const startedAt = performance.now()
  const burst = Math.max(1, Math.floor(CATCH_UP_MS / intervalMs))
  let done = 0
  let timer: NodeJS.Timeout | undefined

  function run() {
    const due = Math.floor((performance.now() - startedAt) / intervalMs) + 1
    const ticks = Math.min(due - done, burst)
    done = due
    for (let i = 0; i < ticks; i += 1) onTick()
    timer = setTimeout(run, Math.max(0, startedAt + due * intervalMs - performance.now()))
  }

  run()
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}
