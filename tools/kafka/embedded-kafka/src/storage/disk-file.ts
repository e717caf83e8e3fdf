import { closeSync, fsyncSync, ftruncateSync, openSync, readSync, renameSync, statSync, writeSync } from 'node:fs'
import type { Allocate, ByteFile } from './byte-file.ts'
import type { Folder } from './folder.ts'

/** Also in a folder that others may read. */
const FILE_MODE = 0o600

/** On disk. Written bytes survive the process; a power cut survives only what was flushed. */
export class DiskFile implements ByteFile {
  readonly #folder: Folder
  #path: string
  #fd: number | undefined
  #size: number
  #modifiedMs: number
  /** Its entry in the folder, as its bytes: what was found may have been written by a process that was killed. */
  #isEntryFlushed = false
  #isFlushed: boolean

  /** Opens nothing yet: a file that is never written to is never created. */
  constructor(folder: Folder, name: string) {
    this.#folder = folder
    this.#path = folder.pathOf(name)
    const found = statSync(this.#path, { throwIfNoEntry: false })
    this.#size = found?.size ?? 0
    this.#modifiedMs = found?.mtimeMs ?? 0
    this.#isFlushed = found === undefined
  }

  get modifiedMs(): number {
    return this.#modifiedMs
  }

  get size(): number {
    return this.#size
  }

  append(bytes: Buffer): void {
    try {
      this.#write(bytes)
    } catch (error) {
      this.#folder.writes.failed(this.#path, error)
      throw error
    }
    this.#folder.writes.succeeded(this.#path)
    this.#size += bytes.length
    this.#modifiedMs = Date.now()
  }

  #write(bytes: Buffer): void {
    this.#fd ??= openSync(this.#path, 'a+', FILE_MODE)
    this.#isFlushed = false
    let written = 0
    try {
      while (written < bytes.length) written += writeSync(this.#fd, bytes, written)
    } catch (error) {
      // The disk is full: half an append must not stay before the next one.
      ftruncateSync(this.#fd, this.#size)
      throw error
    }
  }

  read(position: number, length: number, allocate: Allocate = Buffer.allocUnsafe): Buffer {
    const buffer = allocate(Math.max(0, Math.min(length, this.#size - position)))
    if (buffer.length === 0) return buffer
    const fd = this.#fd ?? openSync(this.#path, 'r')
    try {
      let filled = 0
      while (filled < buffer.length) {
        const count = readSync(fd, buffer, filled, buffer.length - filled, position + filled)
        if (count === 0) break
        filled += count
      }
      return buffer.subarray(0, filled)
    } finally {
      if (fd !== this.#fd) closeSync(fd)
    }
  }

  truncate(size: number): void {
    this.#fd ??= openSync(this.#path, 'a+', FILE_MODE)
    this.#isFlushed = false
    ftruncateSync(this.#fd, size)
    this.#size = size
  }

  flush(): void {
    if (this.#isFlushed) return
    const fd = this.#fd ?? openSync(this.#path, 'a+', FILE_MODE)
    try {
      fsyncSync(fd)
    } finally {
      if (fd !== this.#fd) closeSync(fd)
    }
    if (!this.#isEntryFlushed) this.#folder.flush()
    this.#isEntryFlushed = true
    this.#isFlushed = true
  }

  /** Ends appending, and gives the file another name in its folder, in place of the file that has it. Both are on the device then. */
  moveTo(name: string): void {
    this.flush()
    this.seal()
    renameSync(this.#path, this.#folder.pathOf(name))
    this.#path = this.#folder.pathOf(name)
    this.#folder.flush()
  }

  seal(): void {
    if (this.#fd === undefined) return
    closeSync(this.#fd)
    this.#fd = undefined
  }
}
