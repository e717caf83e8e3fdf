import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { WriteFailures } from './write-failures.ts'

/** Windows flushes the entries of folders itself, and has no call for it. */
const CAN_FLUSH = process.platform !== 'win32'

/** A folder whose entries (new, renamed and removed files) can be flushed to the device. */
export class Folder {
  readonly path: string
  /** Gets the result of each write to a file of this folder. */
  readonly writes: WriteFailures
  /** Folders with entries that were not flushed since they were made, outermost first. */
  #made: readonly string[]

  /** Makes it, and what is missing above it, for this user alone: keys of SCRAM and messages are in it. */
  constructor(path: string, writes: WriteFailures = new WriteFailures(() => {})) {
    this.path = path
    this.writes = writes
    const first = mkdirSync(path, { recursive: true, mode: 0o700 })
    const above: string[] = []
    for (let each = path; first !== undefined && each.length >= first.length; each = dirname(each)) {
      above.unshift(dirname(each))
    }
    this.#made = above
  }

  pathOf(name: string): string {
    return join(this.path, name)
  }

  /** All its entries are on the device then, and those of folders above that were made for it. */
  flush(): void {
    if (CAN_FLUSH) for (const path of [...this.#made, this.path]) flushFolder(path)
    this.#made = []
  }
}

function flushFolder(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
