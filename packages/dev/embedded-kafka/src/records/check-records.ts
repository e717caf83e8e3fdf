import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { BATCH_HEADER_BYTES, type BatchHeader } from './record-batch.ts'
import { invalid, RecordCursor } from './record-cursor.ts'

/** A record has at least seven bytes: length, attributes, two deltas, two lengths and the number of headers. */
const MIN_RECORD_BYTES = 7
/** More than a batch of a megabyte has room for (150,000), and few enough for readers to hold. */
const MAX_RECORDS = 250_000
/** As Apache Kafka's message.timestamp.after.max.ms: a record from the future would outlast the retention of its log. */
const MAX_AHEAD_MS = 3_600_000

/** @throws {ProtocolError} INVALID_TIMESTAMP when a time is negative and not -1, or in the future */
export function checkTimestamp(timestamp: number, now: number): void {
  if (timestamp >= -1 && timestamp <= now + MAX_AHEAD_MS) return
  throw new ProtocolError(
    ErrorCode.INVALID_TIMESTAMP,
    `the timestamp ${timestamp} is not within -1 and an hour from now`,
  )
}

/**
 * Reads the records of an uncompressed batch as a consumer will. Of compressed records only the number is checked.
 * @throws {ProtocolError} INVALID_RECORD or INVALID_TIMESTAMP when one is wrong
 */
export function checkRecords(batch: Buffer, header: BatchHeader, now: number): void {
  const { recordCount, compression, baseTimestamp } = header
  if (recordCount > MAX_RECORDS) throw invalid(`${recordCount} records, at most ${MAX_RECORDS} are taken`)
  if (compression !== 'none') return
  const cursor = new RecordCursor(batch, BATCH_HEADER_BYTES)
  if (recordCount * MIN_RECORD_BYTES > cursor.left) throw invalid(`${recordCount} records in ${cursor.left} bytes`)
  for (let index = 0; index < recordCount; index += 1) {
    cursor.within(cursor.varint(), () => {
      // Attributes: none is used.
      cursor.skip(1)
      checkTimestamp(baseTimestamp + cursor.varint(), now)
      if (cursor.varint() !== index) throw invalid('the offsets of the records are not consecutive')
      cursor.skipNullable()
      cursor.skipNullable()
      checkHeaders(cursor)
    })
  }
  if (cursor.left > 0) throw invalid(`${cursor.left} bytes behind the last record`)
}

function checkHeaders(cursor: RecordCursor): void {
  const count = cursor.varint()
  // Each has at least two lengths.
  if (!(count >= 0 && count * 2 <= cursor.left)) throw invalid(`${count} headers in ${cursor.left} bytes`)
  for (let index = 0; index < count; index += 1) {
    cursor.skip(cursor.varint())
    cursor.skipNullable()
  }
}
