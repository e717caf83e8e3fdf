import { type BatchHeader, readBatchHeader } from '../../records/record-batch.ts'
import type { AcquiredRecords } from '../../shares/acquisition.ts'
import type { Isolation, PartitionRead } from '../../topics/partition.ts'
import type { AbortedTransaction } from '../../topics/producer-states.ts'
import type { Turn } from '../../turn.ts'
import type { Shared } from './shared-partition.ts'

/** Batches, one of which has a record that nobody has. */
export interface AvailableBatches {
  readonly headers: readonly BatchHeader[]
  readonly records: Buffer
}

interface Options {
  readonly isolation: Isolation
  readonly maxBytes: number
  readonly atLeastOne: boolean
  readonly nodeId: number
}

function headersOf(records: Buffer): BatchHeader[] {
  const headers: BatchHeader[] = []
  for (let at = 0; ; ) {
    const header = readBatchHeader(records, at)
    if (!header || at + header.size > records.length) return headers
    headers.push(header)
    at += header.size
  }
}

function isAborted(
  { baseOffset, lastOffset, producerId }: BatchHeader,
  aborted: readonly AbortedTransaction[],
): boolean {
  return aborted.some(
    (each) => each.producerId === producerId && each.firstOffset <= baseOffset && each.lastOffset >= lastOffset,
  )
}

/** What nobody is to get: offsets before the first batch, which were compacted away, and records of aborted transactions. */
function unwanted(next: number, headers: readonly BatchHeader[], { abortedTransactions }: PartitionRead) {
  const gap = { first: next, last: (headers[0]?.baseOffset ?? next) - 1 }
  const aborted = headers
    .filter((header) => header.isTransactional && !header.isControl && isAborted(header, abortedTransactions))
    .map(({ baseOffset, lastOffset }) => ({ first: baseOffset, last: lastOffset }))
  return [...(gap.last >= gap.first ? [gap] : []), ...aborted]
}

/**
 * Reads from the first record on that nobody has; undefined when there is none.
 * @throws {ProtocolError} when the records cannot be read
 */
export async function readAvailable(
  { partition, share }: Shared,
  options: Options,
  turn: Turn,
): Promise<AvailableBatches | undefined> {
  for (;;) {
    share.moveStart(partition.startOffset)
    const next = share.nextOffset
    if (next === undefined || next >= partition.endOffsetFor(options.isolation)) return undefined
    const read = partition.read({ fromOffset: next, ...options })
    const headers = headersOf(read.records)
    if (headers.length === 0) return undefined
    const isSkipped = share.skip(unwanted(next, headers, read))
    if (!isSkipped) return { headers, records: read.records }
    await turn.giveWay()
  }
}

/** The batches from the first acquired record to the last one. */
export function sliceOf({ headers, records }: AvailableBatches, acquired: readonly AcquiredRecords[]): Buffer {
  const first = acquired[0]?.firstOffset
  const last = acquired.at(-1)?.lastOffset
  if (first === undefined || last === undefined) return Buffer.alloc(0)
  let start = 0
  let end = 0
  for (const { lastOffset, baseOffset, size } of headers) {
    if (lastOffset < first) start += size
    if (baseOffset <= last) end += size
  }
  return records.subarray(start, end)
}
