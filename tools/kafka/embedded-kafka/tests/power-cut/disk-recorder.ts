import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname } from 'node:path'

/** What was asked of the disk. Files are named by their path at that time. */
export type DiskOperation =
  | { readonly kind: 'create' | 'make-folder' | 'remove' | 'flush'; readonly path: string }
  | { readonly kind: 'write'; readonly path: string; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly path: string; readonly size: number }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }

export interface DiskRecorder extends Disposable {
  readonly operations: readonly DiskOperation[]
}

type Names = 'openSync' | 'writeSync' | 'ftruncateSync' | 'fsyncSync' | 'renameSync' | 'rmSync' | 'mkdirSync'
const REAL = { ...fs }

/**
 * Notes each change that this process makes below a folder, until it is disposed of. It has to be between the broker and the real file
 * system, because no file system tells what of it is on the device.
 */
export function recordDisk(root: string): DiskRecorder {
  const operations: DiskOperation[] = []
  const paths = new Map<number, string>()
  const note = (operation: DiskOperation): void => {
    if (operation.path === root || operation.path.startsWith(`${root}/`)) operations.push(operation)
  }
  const pathOf = (fd: number): string => paths.get(fd) ?? ''

  const noteRemoval = (path: string): void => {
    const found = REAL.statSync(path, { throwIfNoEntry: false })
    if (!found) return
    if (found.isDirectory()) for (const name of REAL.readdirSync(path)) noteRemoval(`${path}/${name}`)
    note({ kind: 'remove', path })
  }
  const noteFolders = (path: string): void => {
    if (REAL.existsSync(path)) return
    noteFolders(dirname(path))
    note({ kind: 'make-folder', path })
  }

  const replaced: { [K in Names | 'writeFileSync']: unknown } = {
    openSync(path: string, flags: string) {
      if (!REAL.existsSync(path)) note({ kind: 'create', path })
      const fd = REAL.openSync(path, flags)
      paths.set(fd, path)
      return fd
    },
    writeSync(fd: number, bytes: Buffer, from: number) {
      const count = REAL.writeSync(fd, bytes, from)
      note({ kind: 'write', path: pathOf(fd), bytes: Buffer.from(bytes.subarray(from, from + count)) })
      return count
    },
    ftruncateSync(fd: number, size: number) {
      REAL.ftruncateSync(fd, size)
      note({ kind: 'truncate', path: pathOf(fd), size })
    },
    fsyncSync(fd: number) {
      REAL.fsyncSync(fd)
      note({ kind: 'flush', path: pathOf(fd) })
    },
    renameSync(path: string, to: string) {
      REAL.renameSync(path, to)
      note({ kind: 'rename', path, to })
    },
    rmSync(path: string, options: fs.RmOptions) {
      noteRemoval(path)
      REAL.rmSync(path, options)
    },
    mkdirSync(path: string, options: fs.MakeDirectoryOptions) {
      noteFolders(path)
      return REAL.mkdirSync(path, options)
    },
    writeFileSync(path: string, text: string, { flag }: { flag: string }) {
      const fd = REAL.openSync(path, flag)
      REAL.writeSync(fd, text)
      REAL.closeSync(fd)
      note({ kind: 'create', path })
      note({ kind: 'write', path, bytes: Buffer.from(text) })
    },
  }
  const own = Object.fromEntries(Object.keys(replaced).map((name) => [name, Reflect.get(REAL, name)]))
  Object.assign(fs, replaced)
  syncBuiltinESMExports()
  return {
    operations,
    [Symbol.dispose]() {
      Object.assign(fs, own)
      syncBuiltinESMExports()
    },
  }
}
