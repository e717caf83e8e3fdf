import { ProtocolError } from '../protocol/protocol-error.ts'
import { compress, plainRecords } from '../records/compress.ts'
import { type BatchCompression, type BatchHeader, rebuildBatch } from '../records/record-batch.ts'
import { joinRecords, type RecordSlice, recordSlices } from '../records/record-slice.ts'

/** A batch can have a quarter of a million records. */
export const RECORDS_BETWEEN_TURNS = 500

/** Whether the records are what their batch says. Compressed ones are not read when a topic that is not compacted takes them. */
function areSound(records: Buffer, { baseOffset, lastOffset, baseTimestamp, recordCount }: BatchHeader): boolean {
  let last = -1
  let end = 0
  for (const slice of recordSlices(records, recordCount)) {
    const isInBatch = slice.offsetDelta > last && baseOffset + slice.offsetDelta <= lastOffset
    if (!isInBatch || !Number.isSafeInteger(baseTimestamp + slice.timestampDelta)) return false
    last = slice.offsetDelta
    end = slice.end
  }
  return end === records.length
}

/** The records of a batch as they are before compression; undefined when they cannot be read. */
export function readableRecords(batch: Buffer, header: BatchHeader): Buffer | undefined {
  try {
    const records = plainRecords(batch, header)
    return areSound(records, header) ? records : undefined
  } catch (error) {
    // A compression that is not opened when it is produced may hide anything.
    if (error instanceof ProtocolError) return undefined
    throw error
  }
}

/** What is default for gzip and for zstd. */
const LEVELS: Readonly<Partial<Record<BatchCompression, number>>> = { gzip: -1, zstd: 3 }

/**
 * A batch with some of its records: the same one when all stay, none when none does. Records without value that stay
 * make it say until when, unless it does already.
 */
export async function filterBatch(
  batch: Buffer,
  header: BatchHeader,
  options: {
    readonly records: Buffer
    readonly keeps: (record: RecordSlice, offset: number) => boolean
    /** Until when records without value stay. */
    readonly deleteHorizon: number
    /** Called often: lets other work be done. */
    readonly giveWay: () => Promise<void> | undefined
  },
): Promise<Buffer | undefined> {
  const { records, keeps } = options
  const kept: RecordSlice[] = []
  for (const record of recordSlices(records, header.recordCount)) {
    const pause = record.offsetDelta % RECORDS_BETWEEN_TURNS === 0 ? options.giveWay() : undefined
    if (pause) await pause
    if (keeps(record, header.baseOffset + record.offsetDelta)) kept.push(record)
  }
  if (kept.length === 0) return undefined
  const needsHorizon = !header.hasDeleteHorizon && kept.some(({ hasValue }) => !hasValue)
  if (kept.length === header.recordCount && !needsHorizon) return batch
  const shiftMs = needsHorizon ? header.baseTimestamp - options.deleteHorizon : 0
  const compression = header.compression === 'unknown' ? 'none' : header.compression
  const plain = joinRecords(records, kept, shiftMs)
  const newest = kept.reduce((most, { timestampDelta }) => Math.max(most, timestampDelta), Number.NEGATIVE_INFINITY)
  return rebuildBatch(batch, {
    records: await compress(compression, plain, LEVELS[compression] ?? 0),
    compression,
    recordCount: kept.length,
    maxTimestamp: header.isLogAppendTime ? header.maxTimestamp : header.baseTimestamp + newest,
    ...(needsHorizon && { deleteHorizon: options.deleteHorizon }),
  })
}
