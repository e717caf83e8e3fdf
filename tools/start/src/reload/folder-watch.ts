import { type FSWatcher, watch } from 'node:fs'
import { basename, join } from 'node:path'

export interface FolderWatchOptions {
  /** Called with the path of a file or folder that was written, made, moved or removed. */
  onChange(path: string): void
  /** Called once, when folders cannot be watched: the system's limit is reached, or there are more than `maxFolders`. */
  onProblem(reason: string): void
  /** Default 2000. */
  readonly maxFolders?: number
}

/**
 * Watches single folders, which all systems can, and none below them. A folder that was removed and made again is watched again at the next
 * {@link FolderWatch.set}.
 */
export class FolderWatch implements Disposable {
  readonly #options: FolderWatchOptions
  readonly #watchers = new Map<string, FSWatcher>()
  #hasProblem = false

  constructor(options: FolderWatchOptions) {
    this.#options = options
  }

  /** Watches these folders, and no others. */
  set(folders: ReadonlySet<string>): void {
    for (const folder of this.#watchers.keys()) if (!folders.has(folder)) this.#close(folder)
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#open(folder)
  }

  [Symbol.dispose](): void {
    for (const folder of [...this.#watchers.keys()]) this.#close(folder)
  }

  #open(folder: string): void {
    const { onChange, maxFolders = 2000 } = this.#options
    if (this.#watchers.size >= maxFolders) {
      this.#problem(`there are more than ${maxFolders} folders with sources`)
      return
    }
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        // The name of the folder itself: it was removed or moved.
        const isItself = name === null || name === basename(folder)
        if (isItself) this.#close(folder)
        onChange(isItself ? folder : join(folder, name))
      })
      watcher.on('error', () => this.#close(folder))
      this.#watchers.set(folder, watcher)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // Not there: its parent is watched.
      if (code !== 'ENOENT' && code !== 'ENOTDIR') this.#problem(String(error))
    }
  }

  #close(folder: string): void {
    this.#watchers.get(folder)?.close()
    this.#watchers.delete(folder)
  }

  #problem(reason: string): void {
    if (this.#hasProblem) return
    this.#hasProblem = true
    this.#options.onProblem(reason)
  }
}
