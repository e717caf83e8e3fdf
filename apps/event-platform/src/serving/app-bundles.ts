import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { freshBundle } from './fresh-bundle.ts'
import type { Instance } from './instance.ts'
import type { ServingLog } from './instance-pool.ts'

/** An app, as it is found in its folder. */
interface App {
  readonly app: string
  readonly folder: string
  readonly main: string
}

/** What bundles are made with. */
export interface AppBundlesOptions {
  /** Variables of the processes that make them. */
  readonly env: Readonly<Record<string, string>>
  readonly log: ServingLog
}

/** The most that is told of what a failed bundling wrote, in characters. */
const MAX_REASON = 1000

/**
 * Starts apps from their bundles, which takes a third of the time: from a fresh one if there is one, else from the sources at once, and then
 * the app's script `bundle`, if it has one, makes it for the next start, with the lowest priority. An app whose bundle cannot be made, or ends
 * before it is ready, is run from its sources from then on, after one warning.
 */
export class AppBundles implements Disposable {
  readonly #options: AppBundlesOptions
  readonly #givenUp = new Set<string>()
  readonly #making = new Map<string, AbortController>()

  constructor(options: AppBundlesOptions) {
    this.#options = options
  }

  /** Starts an app by `start`, which gets the file to run. */
  start(app: App, start: (main: string) => Instance): Instance {
    const bundle = this.#givenUp.has(app.folder) ? undefined : freshBundle(app)
    const instance = start(bundle ?? app.main)
    if (bundle === undefined) {
      instance.ready.then(
        () => this.#make(app),
        () => {
          // Sources that do not run are no reason for a bundle.
        },
      )
    } else {
      instance.ready.catch(async () => {
        const { code } = await instance.exited
        if (code !== null && code > 0) this.#giveUp(app, `it ended with exit code ${code} before it was ready`)
      })
    }
    return instance
  }

  /** Ends what is being made. */
  [Symbol.dispose](): void {
    for (const making of this.#making.values()) making.abort()
  }

  async #make(app: App): Promise<void> {
    const { folder } = app
    if (this.#givenUp.has(folder) || this.#making.has(folder) || !hasBundleScript(folder)) return
    const making = new AbortController()
    this.#making.set(folder, making)
    try {
      const failure = await this.#run(folder, making.signal)
      if (failure !== undefined && !making.signal.aborted) this.#giveUp(app, failure)
    } finally {
      this.#making.delete(folder)
    }
  }

  /** Runs the script of the app; resolves with why it failed, if it did. */
  async #run(folder: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      return await this.#runScript(folder, signal)
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  async #runScript(folder: string, signal: AbortSignal): Promise<string | undefined> {
    const child = spawn(process.execPath, ['--run', 'bundle'], {
      cwd: folder,
      env: this.#options.env,
      stdio: ['ignore', 'ignore', 'pipe'],
      // A group of its own, which ends as a whole: the script is a process of the shell that runs it.
      detached: true,
    })
    const closed = once(child, 'close')
    closed.catch(() => {
      // Thrown below, where it is waited for.
    })
    const end = () => {
      endGroup(child.pid)
      // What is left of it must not keep this process.
      child.stderr?.destroy()
      child.unref()
    }
    signal.addEventListener('abort', end, { once: true })
    let reason = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      reason = (reason + chunk.toString()).slice(0, MAX_REASON)
    })
    try {
      if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
      const [code] = await closed
      return code === 0 ? undefined : reason.trim() || `exit code ${code}`
    } finally {
      signal.removeEventListener('abort', end)
    }
  }

  #giveUp({ app, folder }: App, reason: string): void {
    if (this.#givenUp.has(folder)) return
    this.#givenUp.add(folder)
    this.#options.log.warn({ app, reason }, 'no bundle of the app, it is run from its sources')
  }
}

function hasBundleScript(folder: string): boolean {
  try {
    const manifest: { scripts?: Record<string, unknown> } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    return typeof manifest.scripts?.['bundle'] === 'string'
  } catch {
    return false
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
