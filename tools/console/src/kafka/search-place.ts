import type { OffsetRange } from './record-counter.ts'
import type { Offsets } from './topics.ts'

/** Where a search is: what is left to read of each partition, in offsets. */
export interface SearchPlace {
  /** `older`: from the end of a range back to its begin. */
  readonly direction: 'older' | 'newer'
  readonly rest: readonly OffsetRange[]
}

/** Characters; Node takes 16 KiB of an address and headers. A place of several hundred partitions fits. */
const MAX_LENGTH = 8000
const PLACE = /^(older|newer)((?:,\d{1,10}:\d{1,19})+)$/

/** `older,0:1200,1:800`: the next offset of each partition that was not read to its end. Undefined for the end, or when it is too long. */
export function writePlace({ direction, rest }: SearchPlace): string | undefined {
  const ends = rest.map(({ partition, from, to }) => `,${partition}:${direction === 'older' ? to : from}`)
  const text = `${direction}${ends.join('')}`
  return ends.length === 0 || text.length > MAX_LENGTH ? undefined : text
}

/** A field of a query: it gives what is left, by the offsets that a topic has. */
export const PLACE_FIELD = {
  expected: '"next" of the answer before, such as older,0:1200',
  read(value: unknown): ((offsets: ReadonlyMap<number, Offsets>) => SearchPlace) | undefined {
    if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined
    const [, direction, ends = ''] = PLACE.exec(value) ?? []
    if (direction !== 'older' && direction !== 'newer') return undefined
    const places = [...ends.matchAll(/(\d+):(\d+)/g)].map(([, id, at = '']) => [Number(id), BigInt(at)] as const)
    const byPartition = new Map(places)
    if (byPartition.size < places.length) return undefined
    return (offsets) => ({ direction, rest: restOf(direction, byPartition, offsets) })
  },
}

function restOf(
  direction: SearchPlace['direction'],
  ends: ReadonlyMap<number, bigint>,
  offsets: ReadonlyMap<number, Offsets>,
): OffsetRange[] {
  return [...ends].flatMap(([partition, end]) => {
    const known = offsets.get(partition)
    if (known === undefined) return []
    const [low, high] = [BigInt(known.low), BigInt(known.high)]
    const range =
      direction === 'older' ? { from: low, to: end < high ? end : high } : { from: end > low ? end : low, to: high }
    return range.from < range.to ? [{ partition, ...range }] : []
  })
}
