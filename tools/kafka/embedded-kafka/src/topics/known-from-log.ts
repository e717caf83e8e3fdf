import type { DerivedState } from '../log/checkpoint.ts'
import { controlOutcome } from '../records/control-batch.ts'
import { type BatchHeader, leaderEpochOf } from '../records/record-batch.ts'
import { LeaderEpochs, type SavedEpochs } from './leader-epochs.ts'
import { ProducerStates, type SavedProducers } from './producer-states.ts'

interface Saved extends SavedProducers {
  /** Absent in checkpoints from before leaders changed: all batches have epoch 0. */
  readonly epochs?: SavedEpochs
}

/** What a replica knows from the batches in its log: who wrote them, and in which leader's time. */
export class KnownFromLog implements DerivedState {
  readonly producers = new ProducerStates()
  readonly epochs = new LeaderEpochs()

  onBatch(header: BatchHeader, batch: Buffer): void {
    this.epochs.note(leaderEpochOf(batch), header.baseOffset)
    if (header.isControl) this.producers.noteMarker(header, controlOutcome(batch))
    else this.producers.note(header)
  }

  save(): Saved {
    return { ...this.producers.save(), epochs: this.epochs.save() }
  }

  restore(saved: unknown): void {
    const { epochs = [[0, 0]], ...producers } = saved as Saved
    this.producers.restore(producers)
    this.epochs.restore(epochs)
  }
}
