import { fileURLToPath } from 'node:url'
import { endingWithParent, startNode } from '@taproom/processes'
import { waitFor } from '@taproom/testkit'

/** A program under test; disposing of it ends it, after a while by force. */
export interface WatchedProcess extends AsyncDisposable {
  /** The last lines of its stderr. */
  readonly errors: readonly string[]
  /** Those of them since the last call. */
  takeErrors(): readonly string[]
}

const REPOSITORY = new URL('../../../../../', import.meta.url)
const END_MS = 6000
const MOST_ERRORS = 40

/** Starts a program of the repository from its sources, such as `apps/claim-api/src/main.ts`. Its stdout is not read. */
export function startWatched(main: string, env: Readonly<Record<string, string>>): WatchedProcess {
  const errors: string[] = []
  let untaken: string[] = []
  const child = startNode({
    args: endingWithParent(fileURLToPath(new URL(main, REPOSITORY))),
    env: { HOST: '127.0.0.1', ...env },
    stdout: 'ignore',
    onLine: (line) => {
      for (const lines of [errors, untaken]) {
        lines.push(line)
        if (lines.length > MOST_ERRORS) lines.shift()
      }
    },
  })
  return {
    errors,
    takeErrors() {
      const lines = untaken
      untaken = []
      return lines
    },
    [Symbol.asyncDispose]: async () => void (await child.stop(END_MS)),
  }
}

/** Resolves when a GET there answers 200. */
export async function answered(url: string): Promise<void> {
  const isThere = async () => {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) })
    await response.body?.cancel()
    return response.status === 200
  }
  await waitFor(`200 from ${url}`, isThere, { intervalMs: 50 })
}
