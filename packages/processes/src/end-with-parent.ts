/** When the compile cache is written, in ms: well after the start, so that the next start has it even if this process is killed. */
const FLUSH_AFTER_MS = 5000

/**
 * Runs in the child before its program: when the parent ends, however, the child's stdin is closed, and the child ends too. It does not keep
 * the child alive. The child gets this function as text, because a file would be one more to find and load at each start; so it must not use
 * anything outside itself.
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
  // After an error `close` follows.
  process.stdin
    .on('error', () => {})
    .on('close', end)
    .resume()
    .unref()
  if (graceMs === 0) return
  const { flushCompileCache } = process.getBuiltinModule('node:module')
  setTimeout(flushCompileCache, flushAfterMs).unref()
}

export interface EndingWithParentOptions {
  /**
   * With a grace the program ends as on SIGTERM. After this many milliseconds, or when it has ended, everything in its process group is
   * killed. Default 0: it exits at once.
   */
  readonly graceMs?: number
}

/**
 * Node arguments that run a file (TypeScript, JavaScript or a `.cjs` bundle) and end it when the process that started it is gone. Its stdin
 * must be a pipe.
 */
export function endingWithParent(main: string, { graceMs = 0 }: EndingWithParentOptions = {}): readonly string[] {
  const code = `(${endWithParent})(${graceMs},${FLUSH_AFTER_MS})`
  // A bundle starts without Node's ES module loader, which takes as long as the rest of its start.
  if (main.endsWith('.cjs')) return ['--eval', `${code};require(process.argv[1])`, main]
  const conditions = main.endsWith('.ts') ? ['--conditions=development'] : []
  return [...conditions, '--import', `data:text/javascript,${encodeURIComponent(code)}`, main]
}
