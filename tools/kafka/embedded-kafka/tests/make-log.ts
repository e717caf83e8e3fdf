import { cleanLog } from '../src/cleaner/clean-log.ts'
import type { CleanableLog } from '../src/cleaner/cleanable.ts'
import { cleaningNeed } from '../src/cleaner/cleanable.ts'
import { KeyOffsets } from '../src/cleaner/key-offsets.ts'
import { PartitionLog } from '../src/log/partition-log.ts'
import { compress, plainRecords } from '../src/records/compress.ts'
import { buildControlBatch, controlOutcome, type TransactionOutcome } from '../src/records/control-batch.ts'
import {
  BATCH_HEADER_BYTES,
  type BatchHeader,
  buildBatch,
  placeBatch,
  readBatchHeader,
  rebuildBatch,
} from '../src/records/record-batch.ts'
import { type RecordSlice, recordSlices } from '../src/records/record-slice.ts'
import type { SegmentStore } from '../src/storage/byte-file.ts'
import { ProducerStates, type SavedProducers } from '../src/topics/producer-states.ts'
import { varint } from './make-batch.ts'

/** A key and a value; a value of null deletes the key. */
export type Pair = readonly [key: string | null, value: string | null]

function bytesOf(text: string | null): Buffer {
  return text === null ? varint(-1) : Buffer.concat([varint(Buffer.byteLength(text)), Buffer.from(text)])
}

function recordOf([key, value]: Pair, offsetDelta: number): Buffer {
  const body = Buffer.concat([Buffer.alloc(1), varint(0), varint(offsetDelta), bytesOf(key), bytesOf(value), varint(0)])
  return Buffer.concat([varint(body.length), body])
}

/** A batch of these records. */
export function pairBatch(pairs: readonly Pair[], options: { timestamp?: number; producerId?: number } = {}): Buffer {
  const { timestamp = 1000, producerId = -1 } = options
  return buildBatch({
    attributes: producerId >= 0 ? 0x10 : 0,
    timestamp,
    producerId,
    producerEpoch: producerId >= 0 ? 0 : -1,
    baseSequence: producerId >= 0 ? 0 : -1,
    recordCount: pairs.length,
    records: Buffer.concat(pairs.map(recordOf)),
  })
}

/** The same batch with compressed records. */
export async function compressedBatch(pairs: readonly Pair[], codec: 'gzip' | 'zstd'): Promise<Buffer> {
  const batch = pairBatch(pairs)
  const records = await compress(codec, batch.subarray(BATCH_HEADER_BYTES), 3)
  return rebuildBatch(batch, { records, compression: codec, recordCount: pairs.length, maxTimestamp: 1000 })
}

/** A log whose segments hold one batch each by default, and what the cleaner is to know of it. */
export class TestLog implements CleanableLog {
  readonly #producers = new ProducerStates()
  readonly log: PartitionLog
  rules = {
    minDirtyRatio: 0,
    minLagMs: 0,
    maxLagMs: Number.POSITIVE_INFINITY,
    deleteRetentionMs: 100,
    segmentBytes: 1e6,
  }
  cleanedTo = 0
  closed = false

  constructor(store: SegmentStore, segmentBytes = 1) {
    this.log = new PartitionLog({
      store,
      limits: { segmentBytes, segmentMs: 1e9, retentionMs: -1, retentionBytes: -1 },
      startOffset: 0,
      derived: {
        onBatch: (header, batch) => {
          if (header.isControl) this.#producers.noteMarker(header, controlOutcome(batch))
          else this.#producers.note(header)
        },
        save: () => this.#producers.save(),
        restore: (saved) => this.#producers.restore(saved as SavedProducers),
      },
    })
  }

  get producers(): ProducerStates {
    return this.#producers
  }

  get lastStableOffset(): number {
    return this.#producers.firstOpenOffset() ?? this.log.endOffset
  }

  aborted() {
    return this.#producers.abortedWithin(0, this.log.endOffset)
  }

  isClosed(): boolean {
    return this.closed
  }

  noteCleaned(offset: number): void {
    this.cleanedTo = offset
  }

  append(batch: Buffer): void {
    placeBatch(batch, this.log.endOffset)
    const header = readBatchHeader(batch) as BatchHeader
    this.log.append(batch, header)
    if (!header.isControl) this.#producers.note(header)
  }

  endTransaction(producerId: number, outcome: TransactionOutcome): void {
    this.append(buildControlBatch({ producerId, producerEpoch: 0, outcome, timestamp: 1000 }))
    const header = { producerId, producerEpoch: 0, baseOffset: this.log.endOffset - 1 } as BatchHeader
    this.#producers.noteMarker(header, outcome)
  }

  /** All batches there are. */
  batches(): { header: BatchHeader; batch: Buffer }[] {
    const found: { header: BatchHeader; batch: Buffer }[] = []
    let fromOffset = this.log.startOffset
    for (;;) {
      const batch = this.log.read({ fromOffset, beforeOffset: this.log.endOffset, maxBytes: 1, atLeastOne: true })
      const header = readBatchHeader(batch)
      if (!header) return found
      found.push({ header, batch })
      fromOffset = header.lastOffset + 1
    }
  }

  /** The records of all batches but markers, which have none. */
  records(): { header: BatchHeader; records: RecordSlice[] }[] {
    return this.batches().map(({ header, batch }) => ({
      header,
      records: header.isControl ? [] : [...recordSlices(plainRecords(batch, header), header.recordCount)],
    }))
  }

  /** `offset:key` of all records, `offset` of all markers. */
  contents(): string[] {
    return this.records().flatMap(({ header, records }) => {
      if (header.isControl) return [String(header.baseOffset)]
      return records.map(({ key, offsetDelta }) => `${header.baseOffset + offsetDelta}:${key}`)
    })
  }
}

/** Cleans all that can be cleaned. */
export async function clean(log: TestLog, now = 2000, maxKeys?: number): Promise<void> {
  const { dirty } = cleaningNeed(log, now)
  await cleanLog(log, { dirty, now, keys: new KeyOffsets(maxKeys) })
}

/** Two keys, each written twice, and a segment that is written to. */
export function fill(log: TestLog): void {
  log.append(
    pairBatch([
      ['a', '1'],
      ['b', '1'],
      ['c', '1'],
    ]),
  )
  log.append(pairBatch([['a', '2']]))
  log.append(pairBatch([['b', '2']]))
  log.append(pairBatch([['a', '3']]))
}
