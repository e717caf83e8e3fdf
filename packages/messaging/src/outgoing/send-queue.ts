import { BATCH_BYTES } from '../channel/message-bytes.ts'
import type { PendingSend } from './pending-send.ts'

const BATCH_MESSAGES = 500

/** Sends in the order of their calls. Settled ones are skipped. */
export class SendQueue {
  #sends: PendingSend[] = []

  push(send: PendingSend): void {
    this.#sends.push(send)
  }

  /** Puts sends back to the front, after a failed attempt. */
  putBack(returned: readonly PendingSend[]): void {
    this.#sends = [...returned.filter((send) => !send.isSettled), ...this.#sends]
  }

  /** Removes and returns the next sends that fit one request. */
  take(): PendingSend[] {
    const batch: PendingSend[] = []
    let bytes = 0
    let taken = 0
    for (const send of this.#sends) {
      if (!send.isSettled) {
        bytes += send.bytes
        if (batch.length > 0 && (batch.length >= BATCH_MESSAGES || bytes > BATCH_BYTES)) break
        batch.push(send)
      }
      taken += 1
    }
    this.#sends.splice(0, taken)
    return batch
  }

  /** Removes settled sends at the front. */
  trim(): void {
    const open = this.#sends.findIndex((send) => !send.isSettled)
    this.#sends.splice(0, open === -1 ? this.#sends.length : open)
  }
}
