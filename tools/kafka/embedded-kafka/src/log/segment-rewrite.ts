import type { BatchHeader } from '../records/record-batch.ts'
import type { SegmentDraft, SegmentStore } from '../storage/byte-file.ts'
import { isLogCheckpoint, type LogCheckpoint } from './checkpoint.ts'
import { Segment } from './segment.ts'

/** A segment that is written from a run of others, to replace them. */
export class SegmentRewrite {
  /** The segments that it is written from, oldest first. */
  readonly run: readonly Segment[]
  readonly #store: SegmentStore
  readonly #draft: SegmentDraft
  readonly #segment: Segment

  constructor(store: SegmentStore, run: readonly Segment[]) {
    this.run = run
    this.#store = store
    const generation = 1 + Math.max(...run.map(({ name }) => name.generation))
    const name = { baseOffset: run[0]?.baseOffset ?? 0, endOffset: run.at(-1)?.nextOffset ?? 0, generation }
    this.#draft = store.draft(name)
    this.#segment = new Segment(name, this.#draft.file)
  }

  append(batch: Buffer, header: BatchHeader): void {
    this.#segment.append(batch, header)
  }

  /**
   * Puts it in place and returns it. After a kill or power cut there is either the run or this, and after it the run only until it is
   * opened.
   */
  keep(): Segment {
    const last = this.run.at(-1)
    const old = last && this.#store.loadCheckpoint(last.name)
    if (isLogCheckpoint(old)) {
      // What was derived up to the end of the run is the same, also from records that are gone now.
      const checkpoint: LogCheckpoint = { segment: this.#segment.checkpoint(), derived: old.derived }
      this.#store.saveCheckpoint(this.#segment.name, checkpoint, { isFlushed: true })
    }
    this.#draft.keep()
    this.#draft.file.seal()
    return this.#segment
  }

  /** Removes what was written. */
  drop(): void {
    this.#draft.drop()
  }

  /** Ends writing and touches no file: the folder may be another's by now. */
  abandon(): void {
    this.#draft.file.seal()
  }
}
