import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { ByteFile, SegmentStore } from './byte-file.ts'
import { type Damage, NO_DAMAGE } from './damage.ts'
import { appendEntry, recoverJournal } from './journal.ts'

/** On disk. Written bytes survive the process but not a power cut: nothing is flushed to the device. */
export class DiskFile implements ByteFile {
  readonly #path: string
  #fd: number | undefined
  #size: number

  /** Opens nothing yet: a file that is never written to is never created. */
  constructor(path: string) {
    this.#path = path
    this.#size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
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

  seal(): void {
    if (this.#fd === undefined) return
    closeSync(this.#fd)
    this.#fd = undefined
  }
}

/** The segments of one partition as files in one folder. */
export function diskSegments(folder: string, damage: Damage = NO_DAMAGE): SegmentStore {
  mkdirSync(folder, { recursive: true })
  const pathOf = (baseOffset: number, suffix: 'log' | 'checkpoint'): string =>
    join(folder, `${String(baseOffset).padStart(20, '0')}.${suffix}`)
  return {
    list: () =>
      readdirSync(folder)
        .filter((name) => /^\d{20}\.log$/.test(name))
        .map((name) => Number(name.slice(0, 20)))
        .sort((a, b) => a - b),
    open: (baseOffset) => new DiskFile(pathOf(baseOffset, 'log')),
    saveCheckpoint(baseOffset, checkpoint) {
      const file = new DiskFile(pathOf(baseOffset, 'checkpoint'))
      file.truncate(0)
      appendEntry(file, checkpoint)
      file.seal()
    },
    loadCheckpoint(baseOffset) {
      let found: unknown
      const file = new DiskFile(pathOf(baseOffset, 'checkpoint'))
      recoverJournal(file, (entry) => {
        found = entry
      })
      file.seal()
      return found
    },
    setAside: (baseOffset) =>
      damage.copy(pathOf(baseOffset, 'log'), 'a part of the log is damaged, what comes before it is used'),
    remove(baseOffset) {
      rmSync(pathOf(baseOffset, 'log'), { force: true })
      rmSync(pathOf(baseOffset, 'checkpoint'), { force: true })
    },
    removeAll: () => rmSync(folder, { recursive: true, force: true }),
  }
}
