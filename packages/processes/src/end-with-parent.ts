/** Long after the start, so that what was compiled is kept for the next one even if this process is killed. Milliseconds. */
const FLUSH_AFTER_MS = 5000

/**
 * Run in the child, before its program: when its parent is gone, however that ended, the parent's end of the child's stdin is closed, and the
 * child ends too. It holds nothing open by itself. Its text is passed to the child, because a file would be one more to find and load at
 * each start; so it must use nothing that is not its own.
 */
function endWithParent(graceMs: number, flushAfterMs: number): void {
  function killGroup(): void {
    process.kill(-process.pid, 'SIGKILL')
  }
  function end(): void {
    if (graceMs === 0) process.exit()
    if (process.listenerCount('SIGTERM') === 0) killGroup()
    process.once('exit', killGroup)
    setTimeout(killGroup, graceMs).unref()
    process.kill(process.pid, 'SIGTERM')
  }
  // Whatever happens to it, it is closed in the end.
  process.stdin
    .on('error', () => {})
    .on('close', end)
    .resume()
    .unref()
  if (graceMs === 0) return
  const { flushCompileCache } = process.getBuiltinModule('node:module')
  setTimeout(flushCompileCache, flushAfterMs).unref()
}

/** Options of {@link endingWithParent}. */
export interface EndingWithParentOptions {
  /**
   * With a grace the program ends as on SIGTERM, and is killed with all that it started after so many milliseconds, or as soon as it has ended.
   * Default 0: it exits at once.
   */
  readonly graceMs?: number
}

/**
 * Arguments of Node that run a file, TypeScript sources, compiled JavaScript or a bundle (`.cjs`), and end it when the process that started it
 * is gone. What is started with them needs a pipe as its stdin.
 */
export function endingWithParent(main: string, { graceMs = 0 }: EndingWithParentOptions = {}): readonly string[] {
  const code = `(${endWithParent})(${graceMs},${FLUSH_AFTER_MS})`
  // A bundle is started without Node's loader of ES modules, which alone takes as long as the rest of its start.
  if (main.endsWith('.cjs')) return ['--eval', `${code};require(process.argv[1])`, main]
  const conditions = main.endsWith('.ts') ? ['--conditions=development'] : []
  return [...conditions, '--import', `data:text/javascript,${encodeURIComponent(code)}`, main]
}
