import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { waitFor } from '@taproom/testkit'

/** A program under test; disposing of it ends it, by force if it takes long. */
export interface WatchedProcess extends AsyncDisposable {
  /** The last lines it wrote to stderr. */
  readonly errors: readonly string[]
  /** The lines of them that this was not asked for yet. */
  takeErrors(): readonly string[]
}

const REPOSITORY = new URL('../../../../../', import.meta.url)
const END_MS = 6000
const MOST_ERRORS = 40

/** Starts a program of the repository from its sources, such as `apps/claim-api/src/main.ts`. What it logs to stdout is let go: there will be a lot of it. */
export function startWatched(main: string, env: Readonly<Record<string, string>>): WatchedProcess {
  const child = spawn(process.execPath, ['--conditions=development', fileURLToPath(new URL(main, REPOSITORY))], {
    env: { HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'close')
  const errors: string[] = []
  let untaken: string[] = []
  child.stderr.on('data', (chunk: Buffer) => {
    const lines = chunk.toString().split('\n').filter(Boolean)
    errors.push(...lines)
    errors.splice(0, errors.length - MOST_ERRORS)
    untaken = [...untaken, ...lines].slice(-MOST_ERRORS)
  })
  return {
    errors,
    takeErrors() {
      const lines = untaken
      untaken = []
      return lines
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), END_MS)
      await exited
      clearTimeout(timer)
    },
  }
}

/** Resolves when a GET there is answered with 200. */
export async function answered(url: string): Promise<void> {
  const isThere = async () => {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) })
    await response.body?.cancel()
    return response.status === 200
  }
  await waitFor(`200 from ${url}`, isThere, { intervalMs: 50 })
}
