import type { BatchHeader } from '../records/record-batch.ts'
import { type InFlight, replaced, type Span, within } from './in-flight.ts'

/** Records that a member has now. */
export interface AcquiredRecords {
  readonly firstOffset: number
  readonly lastOffset: number
  readonly deliveryCount: number
}

export type BatchSpan = Pick<BatchHeader, 'baseOffset' | 'lastOffset'>

export interface Acquisition {
  readonly memberId: string
  readonly until: number
  /** What was read, one batch at least. */
  readonly batches: readonly BatchSpan[]
  /** As many records, and what is left of the last one's batch. */
  readonly maxRecords: number
  /** From so many records on an answer begins another piece with the next batch. */
  readonly batchSize: number
  /** How many records may be in flight, counted from the start. */
  readonly maxInFlight: number
}

function endOfBatchAt(offset: number, batches: readonly BatchSpan[]): number {
  return batches.find(({ lastOffset }) => lastOffset >= offset)?.lastOffset ?? offset
}

/** Cut at batches where it is larger than the client wants. */
function pieces({ first, last }: Span, { batches, batchSize }: Acquisition): Span[] {
  const cut: Span[] = []
  let from = first
  for (const { baseOffset } of batches) {
    if (last - from + 1 <= batchSize || baseOffset > last) break
    if (baseOffset - from < batchSize) continue
    cut.push({ first: from, last: baseOffset - 1 })
    from = baseOffset
  }
  return [...cut, { first: from, last }]
}

/** Gives a member what is available of the batches, and says what that is. */
export function acquire(
  { startOffset, parts }: { readonly startOffset: number; readonly parts: readonly InFlight[] },
  wanted: Acquisition,
): { readonly parts: readonly InFlight[]; readonly acquired: readonly AcquiredRecords[] } {
  const { batches, memberId, until, maxInFlight } = wanted
  const end = parts.at(-1)?.last ?? startOffset - 1
  const limit = startOffset + maxInFlight - 1
  let left = wanted.maxRecords
  const taken: InFlight[] = []
  const offered = {
    first: Math.max(startOffset, batches[0]?.baseOffset ?? startOffset),
    last: batches.at(-1)?.lastOffset ?? -1,
  }
  for (const part of within(parts, offered)) {
    if (part.state.is !== 'available') continue
    // What was in flight before may be delivered again in any case.
    const room = Math.max(end, limit) - part.first + 1
    const count = Math.min(left, room)
    if (count <= 0) break
    const last = Math.min(part.last, endOfBatchAt(part.first + count - 1, batches))
    left -= last - part.first + 1
    const state = { is: 'acquired', memberId, until } as const
    taken.push({ first: part.first, last, deliveryCount: part.deliveryCount + 1, state })
  }
  const acquired = taken.flatMap((part) =>
    pieces(part, wanted).map(({ first, last }) => ({
      firstOffset: first,
      lastOffset: last,
      deliveryCount: part.deliveryCount,
    })),
  )
  return { parts: replaced(parts, taken), acquired }
}
