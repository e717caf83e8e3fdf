import { createHash } from 'node:crypto'

/** Longer keys are remembered by their hash. */
const MAX_KEY_BYTES = 48
/** Takes tens of megabytes; a log with more keys is cleaned in several rounds. */
const MAX_KEYS = 300_000

function textOf(key: Buffer): string {
  if (key.length <= MAX_KEY_BYTES) return key.toString('latin1')
  // Longer than any key that is kept as it is.
  return createHash('sha256').update(key).digest('hex')
}

/** The last offset of each key in a part of a log. */
export class KeyOffsets {
  readonly #offsets = new Map<string, number>()
  readonly #maxKeys: number

  constructor(maxKeys = MAX_KEYS) {
    this.#maxKeys = maxKeys
  }

  /** Whether there is room for this many more; there is always some for the first ones. */
  hasRoomFor(keys: number): boolean {
    return this.#offsets.size === 0 || this.#offsets.size + keys <= this.#maxKeys
  }

  set(key: Buffer, offset: number): void {
    this.#offsets.set(textOf(key), offset)
  }

  /** Whether a later record has the same key. */
  isReplaced(key: Buffer, offset: number): boolean {
    return offset < (this.#offsets.get(textOf(key)) ?? 0)
  }
}
