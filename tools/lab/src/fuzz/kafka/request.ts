import { apis } from '@taproom/embedded-kafka/apis'
import { Writer } from '@taproom/embedded-kafka/writer'
import type { Random } from '../../harness/random.ts'
import { hostileText, word } from '../kit/text.ts'
import { hostileBatch } from './record-batch.ts'

/** A kind of request, from the embedded broker's own table. */
type Api = typeof apis extends ReadonlyMap<number, infer A> ? A : never
type Reader = Parameters<Api['request']['read']>[0]

const APIS: readonly Api[] = [...apis.values()]

/** Names that requests share, so that they meet the same topics, groups and transactions. */
const NAMES = [
  ...'fuzz topic group-1 consumer range member transaction __consumer_offsets ../x'.split(' '),
  ...['a'.repeat(249), ''],
]

/** The beginning of a frame that says it is this long. */
export function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(bytes)
  return length
}

/** A request as it goes over the wire, after its length. */
export function framed(content: Buffer): Buffer {
  return Buffer.concat([lengthOf(content.length), content])
}

/** The frame of a request: of a value that the broker's codec of this request writes, or of any bytes. */
export function requestOf(key: number, version: number, body: object): Buffer {
  const api = apis.get(key)
  if (api === undefined) throw new RangeError(`no request ${key}`)
  const writer = headerOf(api, version, 1)
  if (body instanceof Buffer) writer.bytes(body)
  else api.request.write(writer, body, { number: version, flexible: version >= api.flexibleSince })
  return framed(Buffer.concat(writer.finish()))
}

function headerOf({ key, flexibleSince }: Api, version: number, correlationId: number): Writer {
  const writer = new Writer()
  const clientId = Buffer.from('fuzz')
  writer.int16(key)
  writer.int16(version)
  writer.int32(correlationId)
  writer.int16(clientId.length)
  writer.bytes(clientId)
  if (version >= flexibleSince) writer.uvarint(0)
  return writer
}

/**
 * A request without its length, of a right structure and with hostile values: the broker's own codec reads it from a reader that invents
 * each value, and writes the values down.
 */
export function inventRequest(random: Random): Buffer {
  const api = random.pick(APIS)
  const number = api.minVersion + random.below(api.maxVersion - api.minVersion + 1)
  const reader = new InventingReader(random)
  try {
    api.request.read(reader as unknown as Reader, { number, flexible: number >= api.flexibleSince })
  } catch {
    // The codec refuses an invented value, as the broker will.
  }
  const header = headerOf(api, number, random.below(2 ** 31))
  return Buffer.concat([...header.finish(), ...reader.written.finish()])
}

/** An invented request with more items in its arrays ends before them. */
const MOST_ITEMS = 2000

/** The reader given to the broker's codec; it invents each value. */
class InventingReader {
  readonly #random: Random
  readonly #batch: Buffer
  readonly written = new Writer()
  #itemsLeft = MOST_ITEMS

  constructor(random: Random) {
    this.#random = random
    this.#batch = random.chance(0.5) ? hostileBatch(random) : Buffer.alloc(0)
  }

  /** Writes one of the values, rarely one of the others, and returns it. */
  #invent(type: 'int8' | 'int16' | 'int32' | 'int64' | 'uvarint', usual: number[], others = usual, rarity = 0): number {
    const value = this.#random.pick(this.#random.chance(rarity) ? others : usual)
    this.written[type](value)
    return value
  }

  int8(): number {
    return this.#invent('int8', [0, 1, -1, 2, 127])
  }

  int16(): number {
    return this.#invent('int16', [this.#random.pick(NAMES).length], [-1, 0, 1, 3, -2, 200], 0.3)
  }

  int32(): number {
    const usual = [0, 1, 1, 2, -1, 100, this.#batch.length]
    return this.#invent('int32', usual, [2 ** 31 - 1, -(2 ** 31), 60_000, 1500], 0.1)
  }

  int64(): number {
    const usual = [0, 1, -1, -2, 1000, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
    // The highest and the lowest of 64 bits, as near as a number comes.
    return this.#invent('int64', usual, [2 ** 63 - 1024, -(2 ** 63)], 0.05)
  }

  uvarint(): number {
    const usual = [0, 1, 2, 3, this.#random.pick(NAMES).length + 1, this.#batch.length + 1]
    return this.#invent('uvarint', usual, [2 ** 32 - 1, 2 ** 34, 300], 0.1)
  }

  /** Called before as many items are read. */
  items(count: number): void {
    this.#itemsLeft -= count
    if (this.#itemsLeft < 0) throw new RangeError('the request ends here')
  }

  text(size: number): string {
    const known = NAMES.find((name) => name.length === size)
    const value =
      known ?? `${word(this.#random)}${hostileText(this.#random)}`.padEnd(Math.min(size, 5000), 'x').slice(0, size)
    this.written.bytes(Buffer.from(value))
    return value
  }

  bytes(size: number): Buffer {
    const filled = () => Buffer.alloc(Math.max(0, Math.min(size, 5000)), this.#random.below(256))
    const value = size === this.#batch.length ? this.#batch : filled()
    this.written.bytes(value)
    return value
  }
}
