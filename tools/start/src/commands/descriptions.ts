import { once } from 'node:events'
import { join } from 'node:path'
import { reasonOf } from '@taproom/core/lines'
import { ConfigError } from '@taproom/service'
import type { System } from '@taproom/system'
import { readConfig, type StartConfig } from '../config.ts'
import { ownLine } from '../output/service-line.ts'
import { watchDescription } from '../reload/description-watch.ts'
import { FolderWatch } from '../reload/folder-watch.ts'
import { effectOf } from '../services/effect.ts'
import { describeSinks } from '../services/manifests.ts'
import type { SystemOptions } from '../services/system-options.ts'

export interface Described {
  readonly system: System
  readonly config: StartConfig
}

export interface DescriptionsOptions extends Pick<SystemOptions, 'files' | 'env' | 'cwd' | 'logs' | 'stop'> {
  /** Reads `system.ts` as it is now. Undefined: it is not watched. */
  readonly describe: (() => Promise<System>) | undefined
}

/** Editors and generators write a file in several steps. */
const MANIFESTS_QUIET_MS = 60

/** The description that runs, as `system.ts` changes. */
export class Descriptions {
  readonly #options: DescriptionsOptions
  #current: Described
  #before: Described | undefined
  #changed = Promise.withResolvers<void>()

  constructor(first: Described, options: DescriptionsOptions) {
    this.#current = first
    this.#options = options
    if (options.describe !== undefined) void this.#watch()
  }

  get current(): Described {
    return this.#current
  }

  /**
   * Resolves when what runs must be started again to be as described, or is to stop. Meanwhile the manifests of sinks are kept as described.
   */
  async changed(): Promise<void> {
    this.#before = undefined
    const { stop } = this.#options
    using _manifests = this.#watchManifests()
    const stopped = stop.aborted ? Promise.resolve() : once(stop, 'abort')
    for (;;) {
      await Promise.race([this.#changed.promise, stopped])
      if (stop.aborted) return
      this.#changed = Promise.withResolvers()
      if (await this.#takeUp()) return
    }
  }

  /** Goes back to the description that ran before the last change; false when none did. */
  goBack(): boolean {
    if (this.#before === undefined) return false
    this.#current = this.#before
    this.#before = undefined
    return true
  }

  /** True when the description has another effect than the one that runs. */
  async #takeUp(): Promise<boolean> {
    const { describe, files, env, cwd, logs } = this.#options
    if (describe === undefined) return false
    try {
      const system = await describe()
      const next = { system, config: readConfig(env, { cwd, root: files.root }, system) }
      const effect = (of: Described) => effectOf({ ...of, files, env, cwd })
      const isAnother = effect(next) !== effect(this.#current)
      if (isAnother) this.#before = this.#current
      this.#current = next
      if (!isAnother) await this.#describeSinks()
      return isAnother
    } catch (error) {
      const reason = error instanceof ConfigError ? error.problems.join('; ') : reasonOf(error)
      logs.write(ownLine('gateway', 'warn', 'system.ts does not work, what ran before goes on', { reason }))
      return false
    }
  }

  async #describeSinks(): Promise<void> {
    await describeSinks({ ...this.#options, system: this.#current.system })
  }

  async #watch(): Promise<void> {
    const { files, stop: signal } = this.#options
    const onChange = () => this.#changed.resolve()
    const onProblem = this.#unwatched('system.ts')
    await watchDescription({ file: join(files.root, 'system.ts'), onChange, onProblem, signal })
  }

  /** A stale file that comes into deploy/knative while the system runs, from another commit or by hand, is written again. */
  #watchManifests(): FolderWatch {
    const { files, describe, logs } = this.#options
    let timer: NodeJS.Timeout | undefined
    const write = () =>
      this.#describeSinks().catch((error: unknown) => {
        logs.write(ownLine('gateway', 'warn', 'manifests cannot be written', { reason: reasonOf(error) }))
      })
    const watch = new FolderWatch({
      onChange() {
        clearTimeout(timer)
        timer = setTimeout(() => void write(), MANIFESTS_QUIET_MS).unref()
      },
      onProblem: this.#unwatched('deploy/knative'),
    })
    if (describe !== undefined) watch.set(new Set([join(files.root, 'deploy/knative')]))
    return watch
  }

  #unwatched(what: string) {
    return (reason: string) =>
      this.#options.logs.write(ownLine('gateway', 'warn', `changes of ${what} will not be noticed`, { reason }))
  }
}
