import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { readLines } from '@taproom/lines'
import { waitFor } from './wait-for.ts'

/** A line of a service's log. */
export type LogLine = Readonly<Record<string, unknown>>

/** A service as a process of its own; disposing of it kills it. */
export interface TestProcess extends AsyncDisposable {
  readonly pid: number | undefined
  /** What it logged so far. */
  readonly lines: readonly { readonly msg: string; readonly port?: number }[]
  /** The lines it wrote to stderr so far, and those of stdout that are no JSON: the last one of a killed process may be cut. */
  readonly errors: readonly string[]
  /** Its exit code, once everything it wrote is read; null when a signal ended it. */
  readonly exited: Promise<number | null>
  /** Where it serves, once it says that it is ready. */
  url(): Promise<string>
  /** Sends SIGTERM and gives the exit code. */
  stop(): Promise<number | null>
}

/** Starts the program `main` (a file URL) from its sources, on a free port unless `env` names one. `onLine` is called for each line of its log. */
export function startProcess(
  main: URL,
  env: Readonly<Record<string, string>>,
  onLine?: (line: LogLine) => void,
): TestProcess {
  const child = spawn(process.execPath, ['--conditions=development', fileURLToPath(main)], {
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'close').then(([code]) => code as number | null)
  const lines: { readonly msg: string; readonly port?: number }[] = []
  const errors: string[] = []
  void readLines(child.stdout, (text) => {
    const line = parseLine(text)
    if (line === undefined) return void errors.push(text)
    lines.push(line)
    onLine?.(line)
  })
  void readLines(child.stderr, (line) => errors.push(line))
  return {
    pid: child.pid,
    lines,
    errors,
    exited,
    url: async () => {
      const ready = await waitFor('the ready line', () => lines.find(({ msg }) => msg.endsWith(' ready')))
      return `http://127.0.0.1:${ready.port}`
    },
    stop: async () => {
      child.kill('SIGTERM')
      return await exited
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

function parseLine(text: string): { readonly msg: string; readonly port?: number } | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
