import { run } from '@taproom/processes'

export interface TerminalKeyOptions {
  /** The line that a person enters, without its end. */
  readonly key: string
  /** Called each time. */
  readonly onKey: () => void
  /** Default: this process's. */
  readonly stdin?: NodeJS.ReadStream
}

export interface TerminalKey extends Disposable {
  /** False in the background, and until the start of the program has found out that it is in the foreground. */
  readonly isHeard: boolean
}

const PS_MS = 2000

/**
 * Calls back when a person enters a line that is `key`. The terminal stays in its usual mode, in which Ctrl-C and Ctrl-Z are signals.
 * Nothing is read where stdin is not a terminal, nor in the background, where reading stops a process. Disposing ends it.
 */
export function onTerminalKey({ key, onKey, stdin = process.stdin }: TerminalKeyOptions): TerminalKey {
  if (!stdin.isTTY) return { isHeard: false, [Symbol.dispose]: () => undefined }
  let [isOver, isHeard] = [false, false]
  const take = (chunk: Buffer) => {
    if (chunk.toString().trim() === key) onKey()
  }
  const update = async () => {
    isHeard = (await isInForeground()) && !isOver
    if (isHeard) stdin.resume()
    else stdin.pause()
  }
  stdin.on('data', take).on('error', () => stdin.pause())
  stdin.pause()
  process.on('SIGCONT', update)
  void update()
  return {
    get isHeard() {
      return isHeard
    },
    [Symbol.dispose]() {
      isOver = true
      process.off('SIGCONT', update)
      stdin.off('data', take).pause()
    },
  }
}

/** `ps` marks the processes in the foreground of their terminal with `+`. Windows has no background. */
async function isInForeground(): Promise<boolean> {
  if (process.platform === 'win32') return true
  const asked = run('ps', ['-o', 'stat=', '-p', String(process.pid)], { timeout: PS_MS })
  const { stdout } = await asked.catch(() => ({ stdout: '' }))
  return stdout.includes('+')
}
