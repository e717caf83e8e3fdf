import { controlOutcome } from '../records/control-batch.ts'
import type { BatchHeader } from '../records/record-batch.ts'

/** Records of this producer in this range of offsets are not to be read by those who read only what is committed. */
export interface AbortedRange {
  readonly producerId: number
  readonly firstOffset: number
  readonly lastOffset: number
}

/** Says, along a log from its start, which records were aborted and which markers no record needs any more. */
export class TransactionScan {
  /** By producer, oldest first; those that the scan has passed are removed. */
  readonly #aborted = new Map<number, AbortedRange[]>()
  readonly #withRecords = new Set<number>()

  constructor(aborted: readonly AbortedRange[]) {
    for (const range of [...aborted].sort((a, b) => b.firstOffset - a.firstOffset)) {
      const ranges = this.#aborted.get(range.producerId)
      if (ranges) ranges.push(range)
      else this.#aborted.set(range.producerId, [range])
    }
  }

  /** Call in the order of the log. */
  isAborted(header: BatchHeader): boolean {
    if (!header.isTransactional || header.isControl) return false
    const ranges = this.#aborted.get(header.producerId)
    while (ranges && (ranges.at(-1)?.lastOffset ?? header.baseOffset) < header.baseOffset) ranges.pop()
    const next = ranges?.at(-1)
    return next !== undefined && next.firstOffset <= header.baseOffset
  }

  /** Call with each batch of records that stays. */
  noteKept(header: BatchHeader): void {
    if (header.isTransactional) this.#withRecords.add(header.producerId)
  }

  /**
   * Whether a control batch stays. A commit without records says nothing any more. An abort stays: readers that were told of the
   * aborted transaction skip its producer's records until they see it.
   */
  keepsMarker(header: BatchHeader, batch: Buffer): boolean {
    const hadRecords = this.#withRecords.delete(header.producerId)
    return hadRecords || controlOutcome(batch) === 'abort'
  }
}
