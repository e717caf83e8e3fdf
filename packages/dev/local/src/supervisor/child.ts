import { type ChildProcess, spawn } from 'node:child_process'
import { readLines } from '@taproom/lines'
import { atMost } from '@taproom/time'
import { MAX_LINE_LENGTH } from '../output/service-line.ts'

/** A running child process, the leader of a process group of its own. */
export interface Child {
  readonly pid: number | undefined
  /** Resolves when it and its output have ended, with how: `exited with code 1`, `was ended by SIGKILL`. */
  readonly ended: Promise<string>
  /** Asks it to end (SIGTERM). */
  terminate(): void
  /** Ends it and everything it started at once (SIGKILL). */
  kill(): void
}

/** What to run as a child. */
export interface ChildOptions {
  /** Arguments of this Node binary: options, then the file to run. */
  readonly args: readonly string[]
  readonly cwd: string
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>
  onLine(source: 'stdout' | 'stderr', text: string): void
}

/** How long the output of an ended child is still read. */
const outputEndMs = 200

/**
 * Starts a Node process. It gets a group of its own: Ctrl-C in the terminal reaches the supervisor alone, and what it started can be
 * killed with it. Its stdin stays open for as long as this process lives.
 */
export function startChild({ args, cwd, env, onLine }: ChildOptions): Child {
  const child = spawn(process.execPath, args, {
    cwd,
    env: env as NodeJS.ProcessEnv,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  child.stdin.on('error', () => {
    // The child is gone; its exit event says so.
  })
  const output = Promise.all(
    (['stdout', 'stderr'] as const).map((source) =>
      readLines(child[source], (text) => onLine(source, text), { maxLength: MAX_LINE_LENGTH }),
    ),
  )
  const ended = exitOf(child).then(async (ending) => {
    killGroup(child)
    // A process that left the group may hold the pipes open; it is not waited for.
    await atMost(output, outputEndMs)
    return ending
  })
  return { pid: child.pid, ended, terminate: () => child.kill('SIGTERM'), kill: () => killGroup(child) }
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(`could not be started (${error.message})`)
    })
    child.once('exit', (code, signal) => {
      resolve(signal === null ? `exited with code ${code}` : `was ended by ${signal}`)
    })
  })
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Nothing is left of the group.
  }
}
