import type { IncomingMessage, OutgoingMessage } from './message.ts'

/** Overhead of a record, in memory and on the wire. */
const RECORD_BYTES = 100
const HEADER_BYTES = 16

/** Most bytes in one request: by default Kafka accepts a record batch of about 1 MiB. */
export const BATCH_BYTES: number = 512 * 1024

/** The size of a message for `bufferBytes`: key, value and headers, plus a fixed amount for the message and each header. */
export function messageBytes(message: OutgoingMessage | IncomingMessage): number {
  const headers = 'rawHeaders' in message ? message.rawHeaders : message.headers
  let bytes = RECORD_BYTES + byteLength(message.key) + byteLength(message.value)
  for (const name in headers) {
    const given = headers[name]
    const values = Array.isArray(given) ? given : [given]
    for (const value of values) bytes += HEADER_BYTES + byteLength(name) + byteLength(value)
  }
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
