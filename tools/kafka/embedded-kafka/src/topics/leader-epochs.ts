/** In JSON: the first offset of each epoch, in their order. */
export type SavedEpochs = readonly (readonly [epoch: number, startOffset: number])[]

/** An epoch and the offset after its last batch. */
export interface EpochEnd {
  readonly epoch: number
  readonly endOffset: number
}

const NOWHERE: EpochEnd = { epoch: -1, endOffset: -1 }

/** The epochs of the leaders that have written to one log, by which two logs find where they part (KIP-101, KIP-279). */
export class LeaderEpochs {
  #starts: (readonly [epoch: number, startOffset: number])[] = []

  /** Call with each batch that is in the log. */
  note(epoch: number, baseOffset: number): void {
    if (epoch > this.latest) this.#starts.push([epoch, baseOffset])
  }

  /** -1 while nothing was written. */
  get latest(): number {
    return this.#starts.at(-1)?.[0] ?? -1
  }

  /** The epoch of the leader that wrote at an offset, -1 when none is known. */
  at(offset: number): number {
    return this.#starts.findLast(([, startOffset]) => startOffset <= offset)?.[0] ?? -1
  }

  /** Where an epoch ends in a log that ends at `logEnd`; for an epoch that is not in it, the one before. */
  endOf(epoch: number, logEnd: number): EpochEnd {
    if (epoch < 0 || epoch > this.latest) return NOWHERE
    if (epoch === this.latest) return { epoch, endOffset: logEnd }
    const next = this.#starts.findIndex(([other]) => other > epoch)
    const endOffset = this.#starts[next]?.[1] ?? logEnd
    return { epoch: this.#starts[next - 1]?.[0] ?? epoch, endOffset }
  }

  save(): SavedEpochs {
    return [...this.#starts]
  }

  restore(saved: SavedEpochs): void {
    this.#starts = [...saved]
  }
}
