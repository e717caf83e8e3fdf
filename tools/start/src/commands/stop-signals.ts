export interface StopSignals {
  readonly stop: AbortSignal
  /** Everything is to end at once. */
  readonly kill: AbortSignal
}

export interface StopSignalOptions {
  /** Also stop when the parent process is gone. */
  readonly watchParent: boolean
  /** Default: this process. */
  readonly source?: Pick<NodeJS.EventEmitter, 'on'>
  /** Called when this process still runs `overdueMs` after `stop` has aborted. */
  onOverdue(): void
  readonly overdueMs: number
}

/** The terminal and the package manager may both pass on one Ctrl-C; a signal that comes later than this is another. Milliseconds. */
const SAME_KEY_MS = 500
const WATCH_MS = 1000

/**
 * `stop` aborts at the first SIGINT, SIGTERM or SIGHUP and when the output is closed, `kill` at a second signal. With `watchParent`, `stop`
 * also aborts when the parent (the package manager) is gone, because Ctrl-C no longer reaches this process then.
 */
export function stopSignals(options: StopSignalOptions): StopSignals {
  const { watchParent, source = process, onOverdue, overdueMs } = options
  const stop = new AbortController()
  const kill = new AbortController()
  let firstAt = 0
  const onSignal = () => {
    if (!stop.signal.aborted) {
      firstAt = performance.now()
      stop.abort()
    } else if (performance.now() - firstAt > SAME_KEY_MS) kill.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) source.on(signal, onSignal)
  for (const output of [process.stdout, process.stderr]) output.on('error', () => stop.abort())
  stop.signal.addEventListener('abort', () => setTimeout(onOverdue, overdueMs).unref(), { once: true })
  if (watchParent) {
    const parent = process.ppid
    setInterval(() => {
      if (process.ppid !== parent) stop.abort()
    }, WATCH_MS).unref()
  }
  return { stop: stop.signal, kill: kill.signal }
}
