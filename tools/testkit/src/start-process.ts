import { fileURLToPath } from 'node:url'
import { type Ending, endingWithParent, startNode } from '@taproom/processes'
import { machineVariables } from './machine-variables.ts'
import { LONGEST_WAIT_MS, withProgress } from './with-progress.ts'

/** A line of a service's log. */
export type LogLine = Readonly<Record<string, unknown>>

/** A service in its own process; disposing of it kills it. */
export interface TestProcess extends AsyncDisposable {
  readonly pid: number | undefined
  readonly lines: readonly { readonly msg: string; readonly port?: number }[]
  /** Its stderr so far, and the lines of stdout that are no JSON: the last line of a killed process may be cut. */
  readonly errors: readonly string[]
  /** Its exit code, once all its output is read; null when a signal ended it. However long it runs. */
  readonly exited: Promise<number | null>
  /** Waits for its end, and gives its exit code. */
  end(): Promise<number | null>
  /** Its address, once it has logged that it is ready. */
  url(): Promise<string>
  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
}

/** Starts the program `main` (a file URL) from its sources, on a free port unless `env` names one. */
export function startProcess(
  main: URL,
  env: Readonly<Record<string, string>>,
  onLine?: (line: LogLine) => void,
): TestProcess {
  const lines: { readonly msg: string; readonly port?: number }[] = []
  const errors: string[] = []
  const child = startNode({
    args: endingWithParent(fileURLToPath(main)),
    env: { ...machineVariables(), HOST: '127.0.0.1', PORT: '0', ...env },
    onLine: (text, source) => {
      const line = source === 'stderr' ? undefined : parseLine(text)
      if (line === undefined) return void errors.push(text)
      lines.push(line)
      onLine?.(line)
    },
  })
  const codeOf = ({ code }: Ending) => code
  return {
    pid: child.pid,
    lines,
    errors,
    exited: child.ended.then(codeOf),
    end: async () => codeOf(await withProgress(child.ended, `the end of ${main}`)),
    url: async () => {
      const { port } = await withProgress(child.ready, `the start of ${main}`)
      return `http://127.0.0.1:${port}`
    },
    stop: async () => codeOf(await withProgress(child.stop(LONGEST_WAIT_MS), `the end of ${main}`)),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}

function parseLine(text: string): { readonly msg: string; readonly port?: number } | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
