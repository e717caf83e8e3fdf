import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { checkRecords, checkTimestamp, type RecordRules } from './check-records.ts'
import { BATCH_HEADER_BYTES, type BatchHeader, hasValidChecksum, readBatchHeader } from './record-batch.ts'

interface BatchRules extends RecordRules {
  readonly maxBytes: number
}

/**
 * Checks a batch that a client sent: one batch of format 2, no control batch, readable for every consumer.
 * @throws {ProtocolError} when it is not, with the code of the reason
 */
export function checkBatch(records: Buffer | null, rules: BatchRules): BatchHeader {
  const header = records ? readBatchHeader(records) : undefined
  if (!records || !header) throw new ProtocolError(ErrorCode.INVALID_RECORD, 'there is no record batch')
  if (header.magic !== 2) {
    throw new ProtocolError(ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT, `record format ${header.magic} is not supported`)
  }
  if (header.size < BATCH_HEADER_BYTES || header.size > records.length) {
    throw new ProtocolError(ErrorCode.CORRUPT_MESSAGE, 'the record batch is cut off')
  }
  if (header.size < records.length) {
    throw new ProtocolError(ErrorCode.INVALID_RECORD, 'more than one record batch for one partition')
  }
  if (header.size > rules.maxBytes) {
    throw new ProtocolError(
      ErrorCode.MESSAGE_TOO_LARGE,
      `the record batch has ${header.size} bytes, ${rules.maxBytes} are allowed`,
    )
  }
  if (!hasValidChecksum(records)) throw new ProtocolError(ErrorCode.CORRUPT_MESSAGE, 'the checksum does not match')
  if (header.isControl) throw new ProtocolError(ErrorCode.INVALID_RECORD, 'clients cannot write control batches')
  if (header.recordCount < 1 || header.lastOffset - header.baseOffset !== header.recordCount - 1) {
    throw new ProtocolError(ErrorCode.INVALID_RECORD, 'the record count does not match the offsets')
  }
  if (header.producerId >= 0 && (header.producerEpoch < 0 || header.baseSequence < 0)) {
    throw new ProtocolError(ErrorCode.INVALID_RECORD, 'an idempotent batch without epoch or sequence')
  }
  if (header.isTransactional && header.producerId < 0) {
    throw new ProtocolError(ErrorCode.INVALID_RECORD, 'a transactional batch without producer id')
  }
  if (header.compression === 'unknown') {
    throw new ProtocolError(ErrorCode.UNSUPPORTED_COMPRESSION_TYPE, 'the compression of the record batch is not known')
  }
  if (header.isLogAppendTime) {
    throw new ProtocolError(ErrorCode.INVALID_TIMESTAMP, 'only the broker says when a record was appended')
  }
  for (const timestamp of [header.baseTimestamp, header.maxTimestamp]) checkTimestamp(timestamp, rules)
  checkRecords(records, header, rules)
  return header
}
