import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { makeBatch, makeRecord } from '../../tests/make-batch.ts'
import { type BatchHeader, readBatchHeader } from './record-batch.ts'
import { firstRecordSince } from './record-times.ts'

const GZIP = 1
const RECORDS = Buffer.concat(
  [0, 5, 10].map((timestampDelta, offsetDelta) => makeRecord({ timestampDelta, offsetDelta })),
)

/** A batch of three records at 1000, 1005 and 1010 ms, and what its header says. */
function batchOf(records: Buffer, header: Partial<BatchHeader> = {}) {
  const batch = makeBatch({ attributes: GZIP, recordCount: 3, records })
  return [{ ...(readBatchHeader(batch) as BatchHeader), maxTimestamp: 1010, ...header }, batch] as const
}

describe('firstRecordSince', () => {
  it('finds the record within a compressed batch', () => {
    const wanted = { timestamp: 1001, fromOffset: 0 }
    expect(firstRecordSince(...batchOf(gzipSync(RECORDS)), wanted)).toEqual({ offset: 1, timestamp: 1005 })
  })

  it('takes none from before the first offset', () => {
    const [header, batch] = batchOf(gzipSync(RECORDS))
    expect(firstRecordSince(header, batch, { timestamp: 1001, fromOffset: 2 })).toEqual({ offset: 2, timestamp: 1010 })
    expect(firstRecordSince(header, batch, { timestamp: 1011, fromOffset: 2 })).toBeUndefined()
  })

  it.each([
    ['are not what the header says', batchOf(Buffer.from('garbage'))],
    ['are a bomb', batchOf(gzipSync(Buffer.alloc(20_000_000)))],
    ['are fewer than the header says', batchOf(gzipSync(RECORDS.subarray(0, 20)))],
    ['have no such time, against the header', batchOf(gzipSync(RECORDS), { maxTimestamp: 5000 })],
  ])('gives the first offset of the batch when the records %s', (_case, [header, batch]) => {
    const { maxTimestamp: timestamp } = header
    const wanted = { timestamp: 1011, fromOffset: 0 }
    expect(firstRecordSince(header, batch, wanted)).toEqual({ offset: 0, timestamp })
  })
})
