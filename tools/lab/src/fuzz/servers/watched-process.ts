import { fileURLToPath } from 'node:url'
import { endingWithParent, startNode } from '@taproom/processes'
import { machineVariables, waitFor } from '@taproom/testkit'
import { fileAt } from '../../harness/apps.ts'

/** A program under test; disposing of it ends it, after a while by force. */
export interface WatchedProcess extends AsyncDisposable {
  /** The last lines of its stderr. */
  readonly errors: readonly string[]
}

/** A main file of the repository, or one with arguments. */
export type Program = string | readonly [main: string, ...args: string[]]

const UNCOMPILED = { NODE_COMPILE_CACHE: '' }
const END_MS = 6000
const MOST_ERRORS = 40

/** Starts a program of the repository from its sources, with arguments if it gets some. Its stdout is not read. */
export function startWatched(
  program: Program,
  env: Readonly<Record<string, string>>,
  onError?: (line: string) => void,
): WatchedProcess {
  const [main, ...args] = typeof program === 'string' ? [program] : program
  const errors: string[] = []
  const child = startNode({
    args: [...endingWithParent(fileURLToPath(fileAt(main))), ...args],
    // Steps are counted where Node compiles, and does not have it from an earlier process.
    env: { ...machineVariables(), HOST: '127.0.0.1', ...env, ...(env['FUZZ_METER'] === 'steps' && UNCOMPILED) },
    stdout: 'ignore',
    onLine: (line) => {
      errors.push(line)
      if (errors.length > MOST_ERRORS) errors.shift()
      onError?.(line)
    },
  })
  return { errors, [Symbol.asyncDispose]: async () => void (await child.stop(END_MS)) }
}

/** Resolves when a GET there answers 200. */
export async function answered(url: string): Promise<void> {
  await waitFor(`200 from ${url}`, async () => (await statusOf(url)) === 200, { intervalMs: 50 })
}

/** The status that a GET is answered with. */
export async function statusOf(url: string): Promise<number> {
  // Over a connection of its own: one that is kept may be closed at the moment it is used.
  const response = await fetch(url, { headers: { connection: 'close' }, signal: AbortSignal.timeout(2000) })
  await response.body?.cancel()
  return response.status
}
