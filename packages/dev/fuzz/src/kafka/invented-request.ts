import { apis } from '@taproom/embedded-kafka/apis'
import type { Random } from '../kit/random.ts'
import { hostileText, word } from '../kit/text.ts'
import { hostileBatch } from './record-batch.ts'
import { int8, int16, int32, int64, string, uvarint } from './wire.ts'

/** A kind of request, from the embedded broker's own table. */
export interface Api {
  readonly key: number
  readonly minVersion: number
  readonly maxVersion: number
  readonly flexibleSince: number
  readonly request: { read(reader: object, version: { readonly number: number; readonly flexible: boolean }): unknown }
}

/** Names that requests share, so that they meet the same topics, groups and transactions. */
const NAMES = [
  'fuzz',
  'topic',
  'group-1',
  'consumer',
  'range',
  'member',
  'transaction',
  '__consumer_offsets',
  'a'.repeat(249),
  '../x',
  '',
]

/** Every kind of request that the embedded broker knows. */
export const APIS: readonly Api[] = [...apis.values()]

/**
 * The frame of a request with a right structure and hostile values: the broker's own codec of the request reads from a reader that
 * invents each value, and writes the values down.
 */
export function inventRequest(random: Random, api: Api): Buffer {
  const number = api.minVersion + random.below(api.maxVersion - api.minVersion + 1)
  const isFlexible = number >= api.flexibleSince
  const reader = new InventingReader(random)
  try {
    api.request.read(reader, { number, flexible: isFlexible })
  } catch {
    // The codec refuses an invented value, as the broker will.
  }
  const header = Buffer.concat([
    int16(api.key),
    int16(number),
    int32(random.below(2 ** 31)),
    string('fuzz'),
    isFlexible ? uvarint(0) : Buffer.alloc(0),
  ])
  return Buffer.concat([header, reader.written])
}

/** The reader given to the broker's codec; it invents each value. */
class InventingReader {
  readonly #random: Random
  readonly #parts: Buffer[] = []
  readonly #batch: Buffer
  /** A longer array is a mistake of the codec. */
  readonly remaining = 2000

  constructor(random: Random) {
    this.#random = random
    this.#batch = random.chance(0.5) ? hostileBatch(random) : Buffer.alloc(0)
  }

  get written(): Buffer {
    return Buffer.concat(this.#parts)
  }

  int8(): number {
    const value = this.#random.pick([0, 1, -1, 2, 127])
    this.#parts.push(int8(value))
    return value
  }

  int16(): number {
    const value = this.#random.chance(0.7) ? this.#random.pick(NAMES).length : this.#random.pick([-1, 0, 1, 3, -2, 200])
    this.#parts.push(int16(value))
    return value
  }

  int32(): number {
    const value = this.#random.chance(0.9)
      ? this.#random.pick([0, 1, 1, 2, -1, 100, this.#batch.length])
      : this.#random.pick([2 ** 31 - 1, -(2 ** 31), 60_000, 1500])
    this.#parts.push(int32(value))
    return value
  }

  int64(): number {
    const value = this.#random.pick([0, 1, -1, -2, 1000, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])
    this.#parts.push(
      this.#random.chance(0.95) ? int64(value) : int64(this.#random.pick([2n ** 63n - 1n, -(2n ** 63n)])),
    )
    return value
  }

  uvarint(): number {
    const value = this.#random.chance(0.9)
      ? this.#random.pick([0, 1, 2, 3, this.#random.pick(NAMES).length + 1, this.#batch.length + 1])
      : this.#random.pick([2 ** 32 - 1, 2 ** 34, 300])
    this.#parts.push(uvarint(value))
    return value
  }

  text(size: number): string {
    const known = NAMES.find((name) => name.length === size)
    const value =
      known ?? `${word(this.#random)}${hostileText(this.#random)}`.padEnd(Math.min(size, 5000), 'x').slice(0, size)
    this.#parts.push(Buffer.from(value))
    return value
  }

  bytes(size: number): Buffer {
    const value =
      size === this.#batch.length
        ? this.#batch
        : Buffer.alloc(Math.max(0, Math.min(size, 5000)), this.#random.below(256))
    this.#parts.push(value)
    return value
  }
}
