/** When a {@link startTicker} calls back. */
export interface TickerOptions {
  readonly intervalMs: number
  onTick(): void
}

/** Ticks that a blocked process missed are made up for, as far as this many milliseconds of them, but one at least. */
const catchUpMs = 100

/**
 * Ticks at once and then at every multiple of the interval from there, on the monotonic clock, so that late timers do not
 * add up. Disposing of it ends the ticking.
 */
export function startTicker({ intervalMs, onTick }: TickerOptions): Disposable {
  const startedAt = performance.now()
  const burst = Math.max(1, Math.floor(catchUpMs / intervalMs))
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
