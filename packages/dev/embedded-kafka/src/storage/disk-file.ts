import { closeSync, ftruncateSync, openSync, readSync, renameSync, statSync, writeSync } from 'node:fs'
import type { ByteFile } from './byte-file.ts'

/** On disk. Written bytes survive the process but not a power cut: nothing is flushed to the device. */
export class DiskFile implements ByteFile {
  #path: string
  #fd: number | undefined
  #size: number
  #modifiedMs: number

  /** Opens nothing yet: a file that is never written to is never created. */
  constructor(path: string) {
    this.#path = path
    const found = statSync(path, { throwIfNoEntry: false })
    this.#size = found?.size ?? 0
    this.#modifiedMs = found?.mtimeMs ?? 0
  }

  get modifiedMs(): number {
    return this.#modifiedMs
  }

  get size(): number {
    return this.#size
  }

  append(bytes: Buffer): void {
    this.#fd ??= openSync(this.#path, 'a+')
    let written = 0
    try {
      while (written < bytes.length) written += writeSync(this.#fd, bytes, written)
    } catch (error) {
      // The disk is full: half an append must not stay before the next one.
      ftruncateSync(this.#fd, this.#size)
      throw error
    }
    this.#size += bytes.length
    this.#modifiedMs = Date.now()
  }

  read(position: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.#size - position)))
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
    this.#fd ??= openSync(this.#path, 'a+')
    ftruncateSync(this.#fd, size)
    this.#size = size
  }

  /** Ends appending, and gives the file another name. */
  moveTo(path: string): void {
    this.seal()
    renameSync(this.#path, path)
    this.#path = path
  }

  seal(): void {
    if (this.#fd === undefined) return
    closeSync(this.#fd)
    this.#fd = undefined
  }
}
