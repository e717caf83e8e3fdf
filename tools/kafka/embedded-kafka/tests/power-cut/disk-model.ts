import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DiskOperation } from './disk-recorder.ts'

type Write = { readonly bytes: Buffer } | { readonly size: number }

/** Chooses how many of so many operations, in their order, have reached the device; a half is a write that was torn. */
export type Choose = (count: number) => number

interface Entry {
  readonly name: string
  /** Undefined: removed. */
  readonly node: FileNode | FolderNode | undefined
}

function written(content: Buffer, write: Write): Buffer {
  if ('bytes' in write) return Buffer.concat([content, write.bytes])
  const rest = Buffer.alloc(Math.max(0, write.size - content.length))
  return Buffer.concat([content.subarray(0, write.size), rest])
}

class FileNode {
  #flushed = Buffer.alloc(0)
  #pending: Write[] = []

  add(write: Write): void {
    this.#pending.push(write)
  }

  flush(): void {
    this.#flushed = this.#pending.reduce(written, this.#flushed) as Buffer<ArrayBuffer>
    this.#pending = []
  }

  survivor(choose: Choose): Buffer {
    const kept = choose(this.#pending.length)
    const whole = this.#pending.slice(0, Math.floor(kept)).reduce(written, this.#flushed)
    const torn = this.#pending[Math.floor(kept)]
    if (kept % 1 === 0 || !torn || !('bytes' in torn)) return whole
    return written(whole, { bytes: torn.bytes.subarray(0, Math.floor(torn.bytes.length * (kept % 1))) })
  }
}

class FolderNode {
  readonly now = new Map<string, FileNode | FolderNode>()
  #flushed: ReadonlyMap<string, FileNode | FolderNode> = new Map()
  /** What is in one of them happens at once. */
  #pending: (readonly Entry[])[] = []

  change(...entries: readonly Entry[]): void {
    this.#pending.push(entries)
    apply(this.now, entries)
  }

  flush(): void {
    this.#flushed = new Map(this.now)
    this.#pending = []
  }

  survivors(choose: Choose): ReadonlyMap<string, FileNode | FolderNode> {
    const entries = new Map(this.#flushed)
    for (const change of this.#pending.slice(0, Math.floor(choose(this.#pending.length)))) apply(entries, change)
    return entries
  }
}

function apply(entries: Map<string, FileNode | FolderNode>, changes: readonly Entry[]): void {
  for (const { name, node } of changes) {
    if (node) entries.set(name, node)
    else entries.delete(name)
  }
}

/**
 * A disk that knows what of its files and folders is on the device. A power cut leaves of each file, and of the entries of each folder,
 * what was flushed and of the rest a beginning, each another one: no order holds between two of them.
 */
export class DiskModel {
  readonly #root: string
  readonly #top = new FolderNode()

  constructor(root: string) {
    this.#root = root
  }

  #find(path: string): FileNode | FolderNode | undefined {
    if (path === this.#root) return this.#top
    const folder = this.#find(dirname(path))
    return folder instanceof FolderNode ? folder.now.get(basename(path)) : undefined
  }

  #folder(path: string): FolderNode {
    const found = this.#find(path)
    if (found instanceof FolderNode) return found
    throw new Error(`no folder ${path}`)
  }

  #file(path: string): FileNode {
    const found = this.#find(path)
    if (found instanceof FileNode) return found
    throw new Error(`no file ${path}`)
  }

  apply(operation: DiskOperation): void {
    const { kind, path } = operation
    if (kind === 'write') this.#file(path).add({ bytes: operation.bytes })
    else if (kind === 'truncate') this.#file(path).add({ size: operation.size })
    else if (kind === 'flush') this.#find(path)?.flush()
    else if (kind === 'rename') {
      const node = this.#file(path)
      const names = [basename(path), basename(operation.to)] as const
      this.#folder(dirname(path)).change({ name: names[0], node: undefined }, { name: names[1], node })
    } else if (path !== this.#root) {
      const node = kind === 'remove' ? undefined : kind === 'create' ? new FileNode() : new FolderNode()
      this.#folder(dirname(path)).change({ name: basename(path), node })
    }
  }

  /** Writes what a power cut leaves into a folder. */
  writeSurvivors(target: string, choose: Choose, folder: FolderNode = this.#top): void {
    mkdirSync(target, { recursive: true })
    for (const [name, node] of folder.survivors(choose)) {
      if (node instanceof FolderNode) this.writeSurvivors(join(target, name), choose, node)
      else writeFileSync(join(target, name), node.survivor(choose))
    }
  }
}
