import type { ByteFile, SegmentStore } from './byte-file.ts'
import { currentSegments, fileNameOf, type SegmentName } from './segment-name.ts'

const NO_BYTES = Buffer.alloc(0)
const INITIAL_BYTES = 4096
/** Every block but the last has this size. Room that is not written to yet takes no memory of the machine. */
const BLOCK_BYTES = 8_388_608

/** In memory, gone with the process. Bytes are copied once when they are appended, and again only while the first block grows. */
export class MemoryFile implements ByteFile {
  readonly #blocks: Buffer[] = []
  #size = 0
  #modifiedMs = 0

  get size(): number {
    return this.#size
  }

  get modifiedMs(): number {
    return this.#modifiedMs
  }

  append(bytes: Buffer): void {
    this.#modifiedMs = Date.now()
    let copied = 0
    while (copied < bytes.length) {
      const at = this.#size % BLOCK_BYTES
      const count = bytes.copy(this.#blockFor(bytes.length - copied), at, copied)
      copied += count
      this.#size += count
    }
  }

  /** The block that the next bytes go to, with room for `more` bytes or up to its end. */
  #blockFor(more: number): Buffer {
    const index = Math.floor(this.#size / BLOCK_BYTES)
    const used = this.#size % BLOCK_BYTES
    const block = this.#blocks[index]
    if (block && (block.length >= used + more || block.length === BLOCK_BYTES)) return block
    // A file that has filled a block is going to fill the next one, too.
    const wanted = index > 0 ? BLOCK_BYTES : Math.max(used + more, (block?.length ?? 0) * 2, INITIAL_BYTES)
    // A new buffer: slices of the old one that readers have stay valid.
    const grown = Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES, wanted))
    block?.copy(grown, 0, 0, used)
    this.#blocks[index] = grown
    return grown
  }

  read(position: number, length: number): Buffer {
    const end = Math.min(position + length, this.#size)
    if (position >= end) return NO_BYTES
    const first = Math.floor(position / BLOCK_BYTES)
    const last = Math.floor((end - 1) / BLOCK_BYTES)
    const parts = this.#blocks.slice(first, last + 1).map((block, index) => {
      const start = (first + index) * BLOCK_BYTES
      return block.subarray(Math.max(0, position - start), end - start)
    })
    const [only] = parts
    return parts.length === 1 && only ? only : Buffer.concat(parts)
  }

  truncate(size: number): void {
    this.#size = Math.min(size, this.#size)
    this.#blocks.length = Math.ceil(this.#size / BLOCK_BYTES)
    // A new buffer for what comes next: slices of the old one that readers have stay valid.
    this.seal()
  }

  flush(): void {
    // There is no device.
  }

  seal(): void {
    // A sealed file does not grow, so the spare room can go.
    const last = this.#blocks.pop()
    const used = this.#size - this.#blocks.length * BLOCK_BYTES
    if (last && used > 0) this.#blocks.push(Buffer.from(last.subarray(0, used)))
  }
}

/** Keeps no checkpoints: what is in memory is seldom read again. */
export function memorySegments(): SegmentStore {
  const files = new Map<string, { readonly name: SegmentName; readonly file: ByteFile }>()
  return {
    list() {
      const { current } = currentSegments([...files.values()].map(({ name }) => name))
      return current
    },
    open(name) {
      const file = files.get(fileNameOf(name))?.file ?? new MemoryFile()
      files.set(fileNameOf(name), { name, file })
      return file
    },
    draft(name) {
      const file = new MemoryFile()
      return { file, keep: () => files.set(fileNameOf(name), { name, file }), drop: () => {} }
    },
    saveCheckpoint: () => {},
    loadCheckpoint: () => undefined,
    setAside: () => {},
    remove: (name) => files.delete(fileNameOf(name)),
    removeAll: () => files.clear(),
  }
}

/** The segments of several partitions by their names, which are found again when they are opened again. */
export interface MemoryStores {
  open(name: string): SegmentStore
  /** Removes those whose names `isGone` accepts. */
  forget(isGone: (name: string) => boolean): void
}

export function memoryStores(): MemoryStores {
  const stores = new Map<string, SegmentStore>()
  return {
    open(name) {
      const store = stores.get(name) ?? { ...memorySegments(), removeAll: () => stores.delete(name) }
      stores.set(name, store)
      return store
    },
    forget(isGone) {
      for (const name of stores.keys()) if (isGone(name)) stores.delete(name)
    },
  }
}
