import type { MessagingError } from './errors.ts'
import type { OutgoingMessage } from './message.ts'

const BATCH_MESSAGES = 500
/** Kafka takes a record batch of about 1 MiB by default; this leaves room for keys and headers. */
const BATCH_BYTES = 512 * 1024

/** One `send` that waits for its confirmation. */
export interface Entry {
  readonly message: OutgoingMessage
  readonly settled: boolean
  confirm(): void
  fail(error: MessagingError): void
}

/** Messages in the order of their `send`, settled ones skipped. */
export interface SendQueue {
  push(entry: Entry): void
  /** Puts entries back to the front, after a failed attempt. */
  putBack(entries: readonly Entry[]): void
  /** The next entries that fit one request; [] when none waits. */
  take(): Entry[]
  /** Forgets settled entries at the front. */
  trim(): void
}

/** Creates an empty queue. */
export function createSendQueue(): SendQueue {
  let entries: Entry[] = []
  return {
    push(entry) {
      entries.push(entry)
    },
    putBack(returned) {
      entries = [...returned.filter((entry) => !entry.settled), ...entries]
    },
    take() {
      const batch: Entry[] = []
      let bytes = 0
      let taken = 0
      for (const entry of entries) {
        if (!entry.settled) {
          bytes += size(entry.message)
          if (batch.length > 0 && (batch.length >= BATCH_MESSAGES || bytes > BATCH_BYTES)) break
          batch.push(entry)
        }
        taken += 1
      }
      entries.splice(0, taken)
      return batch
    },
    trim() {
      let settled = 0
      while (entries[settled]?.settled) settled += 1
      entries.splice(0, settled)
    },
  }
}

function size(message: OutgoingMessage): number {
  return byteLength(message.key) + byteLength(message.value) + 100
}

function byteLength(data: string | Buffer | null | undefined): number {
  return data == null ? 0 : Buffer.byteLength(data)
}
