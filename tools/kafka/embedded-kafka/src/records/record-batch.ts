import { crc32c } from './crc32c.ts'

/** Bytes before the first record of a batch of format 2. */
export const BATCH_HEADER_BYTES = 61
/** Base offset and length, which the length does not include. */
export const BATCH_PREFIX_BYTES = 12

const LEADER_EPOCH_AT = 12
const CRC_AT = 17
const ATTRIBUTES_AT = 21
const BASE_TIMESTAMP_AT = 27
const MAX_TIMESTAMP_AT = 35
const RECORD_COUNT_AT = 57
/** By the number in the lowest three bits of the attributes; 5 to 7 mean nothing. */
const COMPRESSIONS = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const
const COMPRESSION = 0x07
const LOG_APPEND_TIME = 0x08
const TRANSACTIONAL = 0x10
const CONTROL = 0x20
const DELETE_HORIZON = 0x40
/** How the records of a batch are compressed. */
export type BatchCompression = (typeof COMPRESSIONS)[number]
const TWO_POW_32 = 4_294_967_296

/** The header of one record batch. The records themselves are not needed, so every compression works. */
export interface BatchHeader {
  readonly baseOffset: number
  readonly lastOffset: number
  /** Bytes of the whole batch, prefix included. */
  readonly size: number
  readonly magic: number
  readonly compression: BatchCompression | 'unknown'
  /** The timestamps are the broker's, not the producers'. */
  readonly isLogAppendTime: boolean
  readonly isTransactional: boolean
  readonly isControl: boolean
  /** The base timestamp says from when on the cleaner removes the records without value (KIP-534). */
  readonly hasDeleteHorizon: boolean
  readonly baseTimestamp: number
  readonly maxTimestamp: number
  /** -1 without idempotence. */
  readonly producerId: number
  readonly producerEpoch: number
  readonly baseSequence: number
  readonly recordCount: number
}

/** Values beyond ±2^53 become ±2^53, as in requests. */
function int64(bytes: Buffer, at: number): number {
  const value = bytes.readInt32BE(at) * TWO_POW_32 + bytes.readUInt32BE(at + 4)
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value))
}

export function writeInt64(bytes: Buffer, value: number | bigint, at: number): void {
  bytes.writeBigInt64BE(BigInt(value), at)
}

/** The size that the batch at `at` claims; undefined when the bytes end before it does. */
export function batchSize(bytes: Buffer, at: number): number | undefined {
  if (at + BATCH_PREFIX_BYTES > bytes.length) return undefined
  return bytes.readInt32BE(at + 8) + BATCH_PREFIX_BYTES
}

/** The header of the batch at `at`; undefined when the bytes end before it does. */
export function readBatchHeader(bytes: Buffer, at = 0): BatchHeader | undefined {
  if (at + BATCH_HEADER_BYTES > bytes.length) return undefined
  const baseOffset = int64(bytes, at)
  const attributes = bytes.readInt16BE(at + ATTRIBUTES_AT)
  return {
    baseOffset,
    lastOffset: baseOffset + bytes.readInt32BE(at + 23),
    size: bytes.readInt32BE(at + 8) + BATCH_PREFIX_BYTES,
    magic: bytes.readInt8(at + 16),
    compression: COMPRESSIONS[attributes & COMPRESSION] ?? 'unknown',
    isLogAppendTime: (attributes & LOG_APPEND_TIME) !== 0,
    isTransactional: (attributes & TRANSACTIONAL) !== 0,
    isControl: (attributes & CONTROL) !== 0,
    hasDeleteHorizon: (attributes & DELETE_HORIZON) !== 0,
    baseTimestamp: int64(bytes, at + 27),
    maxTimestamp: int64(bytes, at + 35),
    producerId: int64(bytes, at + 43),
    producerEpoch: bytes.readInt16BE(at + 51),
    baseSequence: bytes.readInt32BE(at + 53),
    recordCount: bytes.readInt32BE(at + 57),
  }
}

/** Whether the stored checksum matches the bytes it covers (attributes to the end). */
export function hasValidChecksum(batch: Buffer): boolean {
  return batch.readUInt32BE(CRC_AT) === crc32c(batch.subarray(ATTRIBUTES_AT))
}

/** Gives a batch its place in the log. The checksum does not cover base offset and leader epoch. */
export function placeBatch(batch: Buffer, baseOffset: number, leaderEpoch = 0): void {
  writeInt64(batch, baseOffset, 0)
  batch.writeInt32BE(leaderEpoch, LEADER_EPOCH_AT)
}

/** The epoch of the leader that gave a batch its place. */
export function leaderEpochOf(batch: Buffer): number {
  return batch.readInt32BE(LEADER_EPOCH_AT)
}

/** The broker's time instead of the producer's: all records of the batch have it. */
export function stampBatch(batch: Buffer, appendTime: number): void {
  batch.writeInt16BE(batch.readInt16BE(ATTRIBUTES_AT) | LOG_APPEND_TIME, ATTRIBUTES_AT)
  writeInt64(batch, appendTime, MAX_TIMESTAMP_AT)
  batch.writeUInt32BE(crc32c(batch.subarray(ATTRIBUTES_AT)), CRC_AT)
}

/** What can change when the records of a batch are written again. */
export interface NewContent {
  /** As they are stored. */
  readonly records: Buffer
  readonly compression: BatchCompression
  readonly recordCount: number
  readonly maxTimestamp: number
  /** From when on records without value are removed; it becomes the base timestamp. */
  readonly deleteHorizon?: number
}

/** A batch with the place, the producer and the offsets of another one, around other records. */
export function rebuildBatch(old: Buffer, content: NewContent): Buffer {
  const batch = Buffer.alloc(BATCH_HEADER_BYTES + content.records.length)
  old.copy(batch, 0, 0, BATCH_HEADER_BYTES)
  content.records.copy(batch, BATCH_HEADER_BYTES)
  batch.writeInt32BE(batch.length - BATCH_PREFIX_BYTES, 8)
  const horizon = content.deleteHorizon === undefined ? 0 : DELETE_HORIZON
  const kept = old.readInt16BE(ATTRIBUTES_AT) & ~COMPRESSION
  batch.writeInt16BE(kept | horizon | COMPRESSIONS.indexOf(content.compression), ATTRIBUTES_AT)
  if (content.deleteHorizon !== undefined) writeInt64(batch, content.deleteHorizon, BASE_TIMESTAMP_AT)
  writeInt64(batch, content.maxTimestamp, MAX_TIMESTAMP_AT)
  batch.writeInt32BE(content.recordCount, RECORD_COUNT_AT)
  batch.writeUInt32BE(crc32c(batch.subarray(ATTRIBUTES_AT)), CRC_AT)
  return batch
}

/** Fields of a batch to build; the checksum is computed. */
export interface BatchContent {
  readonly attributes: number
  readonly timestamp: number | bigint
  readonly producerId: number
  readonly producerEpoch: number
  readonly baseSequence: number
  readonly recordCount: number
  readonly records: Buffer
}

/** A batch of format 2 around already encoded records, at base offset 0. */
export function buildBatch(content: BatchContent): Buffer {
  const batch = Buffer.alloc(BATCH_HEADER_BYTES + content.records.length)
  batch.writeInt32BE(batch.length - BATCH_PREFIX_BYTES, 8)
  batch.writeInt8(2, 16)
  batch.writeInt16BE(content.attributes, ATTRIBUTES_AT)
  batch.writeInt32BE(content.recordCount - 1, 23)
  writeInt64(batch, content.timestamp, 27)
  writeInt64(batch, content.timestamp, 35)
  writeInt64(batch, content.producerId, 43)
  batch.writeInt16BE(content.producerEpoch, 51)
  batch.writeInt32BE(content.baseSequence, 53)
  batch.writeInt32BE(content.recordCount, 57)
  content.records.copy(batch, BATCH_HEADER_BYTES)
  batch.writeUInt32BE(crc32c(batch.subarray(ATTRIBUTES_AT)), CRC_AT)
  return batch
}

export const CONTROL_ATTRIBUTES = TRANSACTIONAL | CONTROL
