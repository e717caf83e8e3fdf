/** When the system is to stop, and when it is to end at once. */
export interface StopSignals {
  readonly stop: AbortSignal
  readonly kill: AbortSignal
}

/** Where signals come from and what they are measured by. */
export interface StopSignalOptions {
  /** Stop when the parent process is gone, too. */
  readonly watchParent: boolean
  /** Default: this process. */
  readonly source?: Pick<NodeJS.EventEmitter, 'on'>
  /** Called when this process still runs `overdueMs` after `stop` has aborted. */
  readonly onOverdue?: () => void
  /** Default 4800 ms, so that everything has ended within five seconds. */
  readonly overdueMs?: number
  /** Milliseconds on a steady clock. Default `performance.now`. */
  readonly now?: () => number
}

/** The terminal and the package manager may both pass on the same Ctrl-C; this much later it is a second one. Milliseconds. */
const sameKeyMs = 500
const watchMs = 1000

/**
 * `stop` aborts at the first SIGINT, SIGTERM or SIGHUP, or when nobody reads the output any more, `kill` at a second signal. Under a package manager's script, `stop` also aborts
 * when that parent is gone: nobody could stop the system with Ctrl-C any more.
 */
export function stopSignals(options: StopSignalOptions): StopSignals {
  const { watchParent, source = process, onOverdue, overdueMs = 4800, now = () => performance.now() } = options
  const stop = new AbortController()
  const kill = new AbortController()
  let firstAt = 0
  const onSignal = () => {
    if (!stop.signal.aborted) {
      firstAt = now()
      stop.abort()
    } else if (now() - firstAt > sameKeyMs) kill.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) source.on(signal, onSignal)
  for (const output of [process.stdout, process.stderr]) output.on('error', () => stop.abort())
  if (onOverdue) stop.signal.addEventListener('abort', () => setTimeout(onOverdue, overdueMs).unref(), { once: true })
  if (watchParent) {
    const parent = process.ppid
    setInterval(() => {
      if (process.ppid !== parent) stop.abort()
    }, watchMs).unref()
  }
  return { stop: stop.signal, kill: kill.signal }
}
