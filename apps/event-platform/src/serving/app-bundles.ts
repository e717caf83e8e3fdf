import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { describeEnding, startNode } from '@taproom/processes'
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
    let said = ''
    await using script = startNode({
      name: 'the script',
      args: ['--run', 'bundle'],
      cwd: folder,
      env: this.#options.env,
      stdout: 'ignore',
      onLine: (line) => {
        said = `${said}${line}\n`.slice(0, MAX_REASON)
      },
    })
    signal.addEventListener('abort', () => void script.kill(), { once: true })
    if (script.pid !== undefined) setPriority(script.pid, constants.priority.PRIORITY_LOW)
    const ending = await script.ended
    return ending.code === 0 ? undefined : said.trim() || describeEnding(ending)
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
