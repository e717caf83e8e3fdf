import type { Segment } from '../log/segment.ts'
import type { SegmentRewrite } from '../log/segment-rewrite.ts'
import { type BatchHeader, readBatchHeader } from '../records/record-batch.ts'
import { recordSlices } from '../records/record-slice.ts'
import { Turn } from '../turn.ts'
import type { CleanableLog } from './cleanable.ts'
import { filterBatch, RECORDS_BETWEEN_TURNS, readableRecords } from './filter-batch.ts'
import { KeyOffsets } from './key-offsets.ts'
import { TransactionScan } from './transactions.ts'

/** Thrown within a cleaning whose log was closed or removed, or lost segments; what it was writing does not count. */
class ChangedLog extends Error {}

/** One cleaning of one log. It gives way to other work between batches, so the log changes meanwhile. */
class Cleaning {
  readonly #target: CleanableLog
  readonly #now: number
  readonly #keys: KeyOffsets
  readonly #turn = new Turn()

  constructor(target: CleanableLog, now: number, keys: KeyOffsets) {
    this.#target = target
    this.#now = now
    this.#keys = keys
  }

  async #giveWay(): Promise<void> {
    await this.#turn.giveWay()
    this.#checkOpen()
  }

  #checkOpen(): void {
    if (this.#target.isClosed()) throw new ChangedLog()
  }

  /** Notes the last offset of each key, as far as there is room for keys. Returns the offset up to which that was done. */
  async readKeys(dirty: readonly Segment[]): Promise<number> {
    const { cleanedTo } = this.#target
    const transactions = new TransactionScan(this.#target.aborted())
    let end = cleanedTo
    for (const segment of dirty) {
      for (const { header, batch } of segment.batches()) {
        await this.#giveWay()
        if (header.lastOffset < cleanedTo || header.isControl || transactions.isAborted(header)) continue
        if (!this.#keys.hasRoomFor(header.recordCount)) return end
        const records = readableRecords(batch, header)
        if (records) await this.#noteKeys(records, header)
        end = header.lastOffset + 1
      }
      end = segment.nextOffset
    }
    return end
  }

  async #noteKeys(records: Buffer, { baseOffset, recordCount }: BatchHeader): Promise<void> {
    for (const { key, offsetDelta } of recordSlices(records, recordCount)) {
      if (offsetDelta % RECORDS_BETWEEN_TURNS === 0) await this.#turn.giveWay()
      if (key) this.#keys.set(key, baseOffset + offsetDelta)
    }
  }

  /**
   * Writes all segments up to `end` again, small ones together and the oldest first. Those of which everything stays are left. Ends where
   * segments are gone meanwhile: a later run without the records that delete a key, before it an earlier value, would bring that back.
   */
  async rewriteUpTo(end: number): Promise<void> {
    const { log, rules } = this.#target
    const transactions = new TransactionScan(this.#target.aborted())
    const segments = log.sealed.filter(({ baseOffset }) => baseOffset < end)
    for (const run of runsOf(segments, rules.segmentBytes)) {
      const rewrite = log.rewrite(run)
      try {
        const isChanged = await this.#rewrite(rewrite, transactions, end)
        this.#checkOpen()
        if (!isChanged && run.length === 1) rewrite.drop()
        else if (!log.replace(rewrite)) throw new ChangedLog()
      } catch (error) {
        if (this.#target.isClosed()) rewrite.abandon()
        else rewrite.drop()
        throw error
      }
    }
  }

  /** Whether anything changed. */
  async #rewrite(rewrite: SegmentRewrite, transactions: TransactionScan, end: number): Promise<boolean> {
    let isChanged = false
    for (const segment of rewrite.run) {
      for (const { header, batch } of segment.batches()) {
        await this.#giveWay()
        const cleaned = header.baseOffset >= end ? batch : await this.#cleanBatch(header, batch, transactions)
        this.#checkOpen()
        const newHeader = cleaned ? readBatchHeader(cleaned) : undefined
        isChanged ||= cleaned !== batch
        if (!cleaned || !newHeader) continue
        if (!header.isControl) transactions.noteKept(header)
        rewrite.append(cleaned, newHeader)
      }
    }
    return isChanged
  }

  async #cleanBatch(header: BatchHeader, batch: Buffer, transactions: TransactionScan): Promise<Buffer | undefined> {
    if (header.isControl) return transactions.keepsMarker(header, batch) ? batch : undefined
    return transactions.isAborted(header) ? undefined : this.#cleanRecords(header, batch)
  }

  async #cleanRecords(header: BatchHeader, batch: Buffer): Promise<Buffer | undefined> {
    const records = readableRecords(batch, header)
    if (!records) return batch
    const areDeletesOver = header.hasDeleteHorizon && header.baseTimestamp < this.#now
    return filterBatch(batch, header, {
      records,
      keeps: ({ key, hasValue }, offset) =>
        key !== null && !this.#keys.isReplaced(key, offset) && (hasValue || !areDeletesOver),
      deleteHorizon: this.#now + this.#target.rules.deleteRetentionMs,
      giveWay: () => this.#turn.giveWay(),
    })
  }
}

/** Neighbours whose sizes together are at most `maxBytes`. */
function runsOf(segments: readonly Segment[], maxBytes: number): readonly (readonly Segment[])[] {
  const runs: Segment[][] = []
  let bytes = 0
  for (const segment of segments) {
    const run = runs.at(-1)
    bytes += segment.size
    if (run && bytes <= maxBytes) {
      run.push(segment)
    } else {
      runs.push([segment])
      bytes = segment.size
    }
  }
  return runs
}

/**
 * Removes from the sealed segments of a log the records that later ones with the same key replace, those of aborted
 * transactions, and those without value whose time is over. Offsets stay. Ends early when the log is closed.
 */
export async function cleanLog(
  target: CleanableLog,
  options: { readonly dirty: readonly Segment[]; readonly now: number; readonly keys?: KeyOffsets },
): Promise<void> {
  const { dirty, now, keys = new KeyOffsets() } = options
  const cleaning = new Cleaning(target, now, keys)
  try {
    const end = await cleaning.readKeys(dirty)
    await cleaning.rewriteUpTo(end)
    if (!target.isClosed()) target.noteCleaned(end)
  } catch (error) {
    // Retention can drop a file before it is read: what is left is looked at again later.
    const isDropped = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!(error instanceof ChangedLog || isDropped)) throw error
  }
}
