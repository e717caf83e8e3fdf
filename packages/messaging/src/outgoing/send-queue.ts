import { BATCH_BYTES } from '../channel/message-bytes.ts'
import type { PendingSend } from './pending-send.ts'

const BATCH_MESSAGES = 500

/** Sends in the order of their calls. Settled ones are skipped. */
export interface SendQueue {
  push(send: PendingSend): void
  /** Puts sends back to the front, after a failed attempt. */
  putBack(sends: readonly PendingSend[]): void
  /** Removes and returns the next sends that fit one request. */
  take(): PendingSend[]
  /** Removes settled sends at the front. */
  trim(): void
}

export function createSendQueue(): SendQueue {
  let sends: PendingSend[] = []
  return {
    push(send) {
      sends.push(send)
    },
    putBack(returned) {
      sends = [...returned.filter((send) => !send.isSettled), ...sends]
    },
    take() {
      const batch: PendingSend[] = []
      let bytes = 0
      let taken = 0
      for (const send of sends) {
        if (!send.isSettled) {
          bytes += send.bytes
          if (batch.length > 0 && (batch.length >= BATCH_MESSAGES || bytes > BATCH_BYTES)) break
          batch.push(send)
        }
        taken += 1
      }
      sends.splice(0, taken)
      return batch
    },
    trim() {
      let settled = 0
      while (sends[settled]?.isSettled) settled += 1
      sends.splice(0, settled)
    },
  }
}
