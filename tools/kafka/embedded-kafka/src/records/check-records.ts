import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { plainRecords } from './compress.ts'
import type { BatchHeader } from './record-batch.ts'
import { invalid, RecordCursor } from './record-cursor.ts'

/** A record has at least seven bytes: length, attributes, two deltas, two lengths and the number of headers. */
const MIN_RECORD_BYTES = 7
/** More than a batch of a megabyte has room for (150,000), and few enough for readers to hold. */
const MAX_RECORDS = 250_000

/** What a topic asks of the records that are sent to it. */
export interface RecordRules {
  /** Milliseconds since 1970. */
  readonly now: number
  /** How far times may be in the past; by default any time. */
  readonly beforeMaxMs?: number
  /** How far times may be in the future; by default an hour, because a record from the future would outlast the retention of its log. */
  readonly afterMaxMs?: number
  /** Records need keys. */
  readonly isCompacted?: boolean
}

/** @throws {ProtocolError} INVALID_TIMESTAMP when a time is out of the topic's range, or negative and not -1 */
export function checkTimestamp(timestamp: number, rules: RecordRules): void {
  const { now, beforeMaxMs = Number.MAX_SAFE_INTEGER, afterMaxMs = 3_600_000 } = rules
  if (timestamp === -1 || (timestamp >= Math.max(0, now - beforeMaxMs) && timestamp <= now + afterMaxMs)) return
  throw new ProtocolError(
    ErrorCode.INVALID_TIMESTAMP,
    `Timestamp ${timestamp} is out of range. The timestamp should be within [${now - beforeMaxMs}, ${now + afterMaxMs}]`,
  )
}

/**
 * Reads the records of an uncompressed batch as a consumer will. Of compressed records only the number is checked, and
 * those of compacted topics are read.
 * @throws {ProtocolError} INVALID_RECORD or INVALID_TIMESTAMP when one is wrong
 */
export function checkRecords(batch: Buffer, header: BatchHeader, rules: RecordRules): void {
  const { recordCount, compression, baseTimestamp } = header
  const { isCompacted = false } = rules
  if (recordCount > MAX_RECORDS) throw invalid(`${recordCount} records, at most ${MAX_RECORDS} are taken`)
  if (compression === 'unknown' || (compression !== 'none' && !isCompacted)) return
  const cursor = new RecordCursor(plainRecords(batch, header), 0)
  if (recordCount * MIN_RECORD_BYTES > cursor.left) throw invalid(`${recordCount} records in ${cursor.left} bytes`)
  for (let index = 0; index < recordCount; index += 1) {
    cursor.within(cursor.varint(), () => {
      // Attributes: none is used.
      cursor.skip(1)
      checkTimestamp(baseTimestamp + cursor.varint(), rules)
      if (cursor.varint() !== index) throw invalid('the offsets of the records are not consecutive')
      const keyBytes = cursor.varint()
      if (keyBytes !== -1) cursor.skip(keyBytes)
      else if (isCompacted) throw invalid('Compacted topic cannot accept message without key.')
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
