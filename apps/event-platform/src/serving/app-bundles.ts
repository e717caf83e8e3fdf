import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { type Log, reasonOf } from '@taproom/core/lines'
import { describeEnding, startNode } from '@taproom/processes'
import { type App, bundleOf } from './app-folder.ts'
import type { Instance } from './instance.ts'

export interface AppBundlesOptions {
  /** Environment of the bundle scripts. */
  readonly env: Readonly<Record<string, string>>
  readonly log: Pick<Log, 'info' | 'warn'>
}

/** Characters logged of a failed script's output. */
const MAX_REASON = 1000

/**
 * Starts apps from their bundles, which takes a third of the time. Without a current bundle an app starts from its sources; its script
 * `bundle`, if any, then makes one for the next start, at the lowest priority. An app whose bundle cannot be made, or ends before it is
 * ready, is run from its sources from then on, after one warning.
 */
export class AppBundles implements Disposable {
  readonly #options: AppBundlesOptions
  readonly #givenUp = new Set<string>()
  readonly #making = new Map<string, AbortController>()

  constructor(options: AppBundlesOptions) {
    this.#options = options
  }

  /** `start` gets the file to run. */
  start(app: App, start: (main: string) => Instance): Instance {
    const bundle = this.#givenUp.has(app.folder) ? undefined : bundleOf(app)
    const instance = start(bundle ?? app.main)
    if (bundle === undefined) {
      // Sources that fail to start are not bundled.
      instance.ready.then(
        () => this.#make(app),
        () => undefined,
      )
    } else {
      instance.ready.catch(async () => {
        const { code } = await instance.ended
        if (code !== null && code > 0) this.#giveUp(app, `it ended with exit code ${code} before it was ready`)
      })
    }
    return instance
  }

  /** Stops running scripts. */
  [Symbol.dispose](): void {
    for (const making of this.#making.values()) making.abort()
  }

  async #make(app: App): Promise<void> {
    const { folder } = app
    if (this.#givenUp.has(folder) || this.#making.has(folder) || !hasBundleScript(folder)) return
    const making = new AbortController()
    this.#making.set(folder, making)
    try {
      const failure = await this.#run(folder, making.signal).catch(reasonOf)
      if (failure !== undefined && !making.signal.aborted) this.#giveUp(app, failure)
    } finally {
      this.#making.delete(folder)
    }
  }

  /** Runs the app's script; resolves with the reason if it fails. */
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
