import { once } from 'node:events'
import { join } from 'node:path'
import { reasonOf } from '@taproom/core/lines'
import type { System } from '@taproom/system'
import { readConfig, type StartConfig } from '../config.ts'
import { ownLine } from '../output/service-line.ts'
import { FolderWatch } from '../reload/folder-watch.ts'
import type { Reloadable } from '../reload/reloader.ts'
import type { Sources } from '../reload/source-files.ts'
import { DESCRIPTION } from '../reload/system-reloader.ts'
import { effectOf } from '../services/effect.ts'
import { describeSinks } from '../services/manifests.ts'
import type { SystemOptions } from '../services/system-options.ts'

export interface Described {
  readonly system: System
  readonly config: StartConfig
}

/** Reads the description of a system as often as it changes. */
export interface Describer {
  /** Texts of `system.ts` and of the system's files that it imports, as they were read last, also when they could not be loaded. */
  readonly sources: Sources
  /** Reads it as its files are now. @throws when it cannot be loaded */
  describe(): Promise<System>
}

export interface DescriptionsOptions extends Pick<SystemOptions, 'files' | 'env' | 'cwd' | 'logs' | 'stop'> {
  /** Undefined: the description is not watched. */
  readonly describer: Describer | undefined
}

/** Editors and generators write a file in several steps. */
const MANIFESTS_QUIET_MS = 60

/** The description that runs, as `system.ts` changes. */
export class Descriptions {
  readonly #options: DescriptionsOptions
  /** As described now. */
  #next: Described
  /** As it runs, or is being started. */
  #running: Described
  /** As it was ready last. */
  #worked: Described | undefined
  #changed = Promise.withResolvers<void>()

  constructor(first: Described, options: DescriptionsOptions) {
    this.#next = first
    this.#running = first
    this.#options = options
  }

  /** The description to start now. */
  next(): Described {
    this.#running = this.#next
    this.#changed = Promise.withResolvers()
    return this.#running
  }

  /** The description, to be watched with the sources of what runs; undefined when it is not watched. */
  get reloadable(): Reloadable | undefined {
    const { describer, files } = this.#options
    if (describer === undefined) return undefined
    const main = join(files.root, 'system.ts')
    return {
      ...{ name: DESCRIPTION, main },
      sources: () => describer.sources,
      startedAt: () => undefined,
      reload: async () => {
        const system = await describer.describe().catch((error: unknown) => {
          // Missing for a moment: another one is about to take its place.
          if (describer.sources.get(main) === undefined) return undefined
          throw error
        })
        if (system !== undefined) await this.#takeUp(system)
      },
    }
  }

  /**
   * All is ready. Resolves when it must be started again to be as described, or is to stop. Meanwhile the manifests of sinks are kept as
   * described.
   */
  async changed(): Promise<void> {
    this.#worked = this.#running
    const { stop } = this.#options
    using _manifests = this.#watchManifests()
    await Promise.race([this.#changed.promise, stop.aborted || once(stop, 'abort')])
  }

  /** After a start that failed, goes back to the description that ran before, unless there is a later one; false when none did. */
  goBack(): boolean {
    if (this.#worked === undefined || this.#worked === this.#running) return false
    if (this.#next === this.#running) this.#next = this.#worked
    return true
  }

  /** Has all started again when the description has another effect than the one that runs. */
  async #takeUp(system: System): Promise<void> {
    const { files, env, cwd } = this.#options
    const next = { system, config: readConfig(env, { cwd, root: files.root }, system) }
    const effect = (of: Described) => effectOf({ ...of, files, env, cwd })
    this.#next = next
    if (effect(next) !== effect(this.#running)) this.#changed.resolve()
    else await this.#describeSinks()
  }

  async #describeSinks(): Promise<void> {
    await describeSinks({ ...this.#options, system: this.#next.system })
  }

  /** A stale file that comes into deploy/knative while the system runs, from another commit or by hand, is written again. */
  #watchManifests(): FolderWatch {
    const { files, describer, logs } = this.#options
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
      onProblem(reason) {
        logs.write(ownLine('gateway', 'warn', 'changes of deploy/knative will not be noticed', { reason }))
      },
    })
    if (describer !== undefined) watch.set(new Set([join(files.root, 'deploy/knative')]))
    return watch
  }
}
