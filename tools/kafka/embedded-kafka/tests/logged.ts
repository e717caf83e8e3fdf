import type { Broker } from '../src/broker/broker.ts'
import { BATCH_HEADER_BYTES, readBatchHeader } from '../src/records/record-batch.ts'
import { type RecordSlice, recordSlices } from '../src/records/record-slice.ts'
import { INTERNAL_TOPICS } from '../src/topics/internal-topics.ts'

/** A record that tools of others read. */
export interface Logged {
  readonly kind: number
  readonly group: string
  readonly topic: string
  /** Null: it deletes its key. */
  readonly offset: number | null
}

const textAt = (bytes: Buffer, at: number) => bytes.toString('utf8', at + 2, at + 2 + bytes.readInt16BE(at))

/** A record of the log: its key, and of what was committed the offset. */
function loggedIn(records: Buffer, { key, hasValue, end }: RecordSlice): Logged {
  const bytes = key ?? Buffer.alloc(0)
  const kind = bytes.readInt16BE(0)
  const group = textAt(bytes, 2)
  if (kind !== 1) return { kind, group, topic: '', offset: hasValue ? -1 : null }
  // Before the end are leader epoch, metadata (empty), time, tags and the number of headers.
  const offset = hasValue ? Number(records.readBigInt64BE(end - 8 - 4 - 1 - 8 - 1 - 1)) : null
  return { kind, group, topic: textAt(bytes, 4 + group.length), offset }
}

/** All that is in the log of groups, by partitions. */
export function logged({ topics }: Broker): Logged[] {
  return (topics.find(INTERNAL_TOPICS.group.name)?.partitions ?? []).flatMap((partition) => {
    const found: Logged[] = []
    let fromOffset = partition.startOffset
    for (;;) {
      const { records: batch } = partition.read({
        fromOffset,
        isolation: 'read_committed',
        maxBytes: 1,
        atLeastOne: true,
      })
      const header = readBatchHeader(batch)
      if (!header) return found
      const records = batch.subarray(BATCH_HEADER_BYTES, header.size)
      found.push(...[...recordSlices(records, header.recordCount)].map((slice) => loggedIn(records, slice)))
      fromOffset = header.lastOffset + 1
    }
  })
}
