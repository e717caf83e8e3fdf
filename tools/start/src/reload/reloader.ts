import { availableParallelism } from 'node:os'
import { basename, dirname, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { KeptSources } from '../supervisor/gate.ts'
import { type Failure, failureOf } from './failure.ts'
import { FolderWatch } from './folder-watch.ts'
import { SourceFiles, type SourceGraph, type Sources } from './source-files.ts'

/** A program that is to run with its sources as they are on the disk. */
export interface Reloadable {
  readonly name: string
  readonly main: string
  /** Texts that the program has read, where it knows them; what differs on the disk has changed. Default: what `main` leads to. */
  sources?(): Sources
  /** When it was started with what is on the disk, in ms since 1970; undefined when it does not run. */
  startedAt(): number | undefined
  /**
   * Takes up the changed sources, `next`, as they were read: on the disk there may be others by now. `before` are those that worked.
   *
   * @throws when they do not work
   */
  reload(next: KeptSources, before: KeptSources): Promise<void>
}

/** What became of changed sources; paths are relative to the root. */
export type ReloadEvent =
  | { readonly kind: 'reloaded'; readonly name: string; readonly changed: readonly string[]; readonly tookMs: number }
  | ({ readonly kind: 'failed'; readonly name: string; readonly changed: readonly string[] } & Failure)
  | { readonly kind: 'unwatched'; readonly reason: string }

export interface ReloaderOptions {
  readonly root: string
  readonly programs: readonly Reloadable[]
  onEvent(event: ReloadEvent): void
  /** Aborted when nothing is to be watched any more, also while sources are still being read. */
  readonly signal: AbortSignal
  /** After a change no other must come for this long. Default 60 ms: editors write a file in several steps, and several files at once. */
  readonly quietMs?: number
  /** Programs that are reloaded at a time. Default: as many as there are processors, so that each is away as shortly as can be. */
  readonly atOnce?: number
}

interface Program {
  readonly reloadable: Reloadable
  graph: SourceGraph
  /** Its sources when they last worked. */
  working: KeptSources
  /** Changed files that it does not run yet. */
  changed: Set<string>
  isReloading: boolean
}

/** However often something changes, it is looked at after this time, in ms. */
const LONGEST_QUIET_MS = 1000

/**
 * Watches the sources of programs and has those reload whose own sources changed, once for all changes that come together, and once more for
 * what changes meanwhile. A file that was written with the same contents is no change.
 */
export class Reloader {
  readonly #options: ReloaderOptions
  readonly #files: SourceFiles
  readonly #watch: FolderWatch
  #programs: readonly Program[] = []
  #watched = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #firstAt: number | undefined
  #looking: Promise<void> | undefined
  #reloading = 0

  /** Reads the sources of all programs and begins to watch them. What changed since a program was started counts as changed. */
  static async open(options: ReloaderOptions): Promise<Reloader> {
    const reloader = new Reloader(options)
    await reloader.#open()
    return reloader
  }

  private constructor(options: ReloaderOptions) {
    this.#options = { ...options, root: resolve(options.root) }
    this.#files = new SourceFiles(options.root, options.signal)
    this.#watch = new FolderWatch({
      onChange: (path) => this.#noticed(path),
      onProblem: (reason) => options.onEvent({ kind: 'unwatched', reason }),
    })
    const close = () => {
      clearTimeout(this.#timer)
      this.#watch[Symbol.dispose]()
    }
    options.signal.addEventListener('abort', close, { once: true })
  }

  get #isClosed(): boolean {
    return this.#options.signal.aborted
  }

  async #open(): Promise<void> {
    this.#programs = await Promise.all(
      this.#options.programs.map(async (reloadable) => {
        const graph = await this.#graphOf(reloadable)
        return { reloadable, graph, working: keptOf(graph), changed: new Set<string>(), isReloading: false }
      }),
    )
    this.#setWatch()
    for (const program of this.#programs) {
      const since = program.reloadable.startedAt() ?? Number.POSITIVE_INFINITY
      for (const path of this.#files.changedSince(program.graph.files.keys(), since)) program.changed.add(path)
      addChanged(program)
    }
    await this.#look()
  }

  #noticed(path: string): void {
    if (this.#isClosed || !this.#isOfInterest(path)) return
    const { quietMs = 60 } = this.#options
    this.#firstAt ??= performance.now()
    const leftMs = Math.max(0, this.#firstAt + LONGEST_QUIET_MS - performance.now())
    clearTimeout(this.#timer)
    this.#timer = setTimeout(
      () => {
        this.#firstAt = undefined
        void this.#lookNext()
      },
      Math.min(quietMs, leftMs),
    )
  }

  #isOfInterest(path: string): boolean {
    return (
      this.#watched.has(path) || this.#programs.some(({ graph }) => graph.files.has(path) || graph.missing.has(path))
    )
  }

  /** Looks again when the look under way has ended. */
  #lookNext(): Promise<void> {
    this.#looking = (this.#looking ?? Promise.resolve()).then(() => this.#look())
    return this.#looking
  }

  /** Finds what changed, and has reloaded what uses it. */
  async #look(): Promise<void> {
    if (this.#isClosed) return
    // Before the files are read: what changes after that is noticed.
    this.#setWatch()
    const changed = await this.#files.refresh()
    for (const program of this.#programs) {
      const { files, missing } = program.graph
      for (const path of changed) if (files.has(path) || missing.has(path)) program.changed.add(path)
      if (changed.size > 0) program.graph = await this.#graphOf(program.reloadable)
    }
    this.#setWatch()
    this.#reload()
  }

  #graphOf(reloadable: Reloadable): Promise<SourceGraph> {
    const sources = reloadable.sources?.()
    return sources === undefined ? this.#files.graph(reloadable.main) : this.#files.only(sources.keys())
  }

  /** A program has read its files by itself, maybe others than before. */
  async #readAgain(program: Program): Promise<void> {
    program.graph = await this.#graphOf(program.reloadable)
    addChanged(program)
    // Watches them, then looks what changed meanwhile.
    await this.#lookNext()
  }

  /** Folders of the files, those above them, and the folder of each file that is missing. */
  #setWatch(): void {
    if (this.#isClosed) return
    const folders = new Set<string>()
    for (const { graph } of this.#programs) {
      for (const path of [...graph.files.keys(), ...graph.missing]) {
        for (let folder = dirname(path); folder.startsWith(this.#options.root); folder = dirname(folder)) {
          if (folders.has(folder)) break
          folders.add(folder)
        }
      }
    }
    this.#watched = folders
    this.#watch.set(folders)
  }

  /** Begins to reload what has changed, as far as others do not reload already. */
  #reload(): void {
    const { atOnce = availableParallelism() } = this.#options
    for (const program of this.#programs) {
      if (this.#isClosed || this.#reloading >= atOnce) return
      if (program.isReloading || program.changed.size === 0) continue
      program.isReloading = true
      this.#reloading += 1
      void this.#reloadOnce(program).finally(() => {
        program.isReloading = false
        this.#reloading -= 1
        this.#reload()
      })
    }
  }

  async #reloadOnce(program: Program): Promise<void> {
    const { root, onEvent } = this.#options
    const { reloadable, graph } = program
    const { name } = reloadable
    const paths = program.changed
    const changed = [...paths].map((path) => relative(root, path)).sort()
    program.changed = new Set()
    const from = performance.now()
    try {
      const next = keptOf(graph)
      try {
        await reloadable.reload(next, program.working)
      } finally {
        if (reloadable.sources !== undefined) await this.#readAgain(program)
      }
      program.working = next
      onEvent({ kind: 'reloaded', name, changed, tookMs: Math.round(performance.now() - from) })
    } catch (error) {
      // A later reloader finds no difference to what a program has read by itself: such a failure is reported in any case.
      const isOver = () => this.#isClosed && reloadable.sources === undefined
      if (isOver()) return
      // What was read while it was being written has changed again: that is tried before anything is said.
      await this.#lookNext()
      if (program.changed.size > 0 && !this.#isClosed) {
        for (const path of paths) program.changed.add(path)
        return
      }
      if (!isOver()) onEvent({ kind: 'failed', name, changed, ...failureOf(error, program.graph.files, root) })
    }
  }
}

/** Adds the files that differ from what the program has read. */
function addChanged({ reloadable, graph, changed }: Program): void {
  for (const [path, text] of reloadable.sources?.() ?? []) if (graph.files.get(path) !== text) changed.add(path)
}

/** What Node loads; it reads a `package.json` itself. */
function keptOf({ files }: SourceGraph): KeptSources {
  const modules = [...files].filter(([path]) => basename(path) !== 'package.json')
  return Object.fromEntries(modules.map(([path, text]) => [pathToFileURL(path).href, text]))
}
