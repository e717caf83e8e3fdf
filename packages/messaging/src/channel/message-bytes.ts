import type { IncomingMessage, OutgoingMessage } from './message.ts'

/** What a record costs in addition to its content, in memory and on the wire. */
const RECORD_BYTES = 100
const HEADER_BYTES = 16

/** The most that one request writes: by default Kafka accepts a record batch of about 1 MiB. */
export const BATCH_BYTES: number = 512 * 1024

/** What a message counts against `bufferBytes`: its key, value and headers, and a fixed amount for itself and each header. */
export function messageBytes({ key, value, headers }: OutgoingMessage | IncomingMessage): number {
  let bytes = RECORD_BYTES + byteLength(key) + byteLength(value)
  for (const name in headers) bytes += HEADER_BYTES + byteLength(name) + byteLength(headers[name])
  return bytes
}

/** Splits messages, in their order, into batches of at most `BATCH_BYTES`; a larger message gets a batch of its own. */
export function* batchesOf(messages: readonly OutgoingMessage[]): Generator<readonly OutgoingMessage[]> {
  let batch: OutgoingMessage[] = []
  let bytes = 0
  for (const message of messages) {
    const more = messageBytes(message)
    if (batch.length > 0 && bytes + more > BATCH_BYTES) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(message)
    bytes += more
  }
  if (batch.length > 0) yield batch
}

function byteLength(data: string | Buffer | null | undefined): number {
  return data == null ? 0 : Buffer.byteLength(data)
}
