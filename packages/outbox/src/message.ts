import { OutboxMessageError } from './errors.ts'

/** A message for a channel, or an event as `toKafkaMessage` of `@taproom/events` makes one. */
export interface OutboxMessage {
  /** Messages with the same key keep their order; null has none. */
  readonly key: string | null
  readonly value: string | Buffer | null
  readonly headers?: Readonly<Record<string, string>>
}

/** Bytes of key, value and headers: as much as Kafka takes by default, without what it adds. */
const MOST_BYTES = 1_000_000

/**
 * Checks a message, and returns its size in bytes.
 *
 * @throws {OutboxMessageError} naming the field
 */
export function checkMessage(message: OutboxMessage, channel: string): number {
  const { key, value, headers = {} } = message
  const refuse = (problem: string) => new OutboxMessageError(problem, channel)
  if (key !== null && typeof key !== 'string') throw refuse('key must be text or null')
  if (key?.includes('\0')) throw refuse('key must have no NUL character, which PostgreSQL cannot store')
  if (value !== null && typeof value !== 'string' && !Buffer.isBuffer(value)) {
    throw refuse('value must be text, a Buffer or null')
  }
  let bytes = Buffer.byteLength(key ?? '') + Buffer.byteLength(value ?? '')
  for (const [name, header] of Object.entries(headers)) {
    if (typeof header !== 'string') throw refuse(`header ${JSON.stringify(name)} must be text`)
    bytes += Buffer.byteLength(name) + Buffer.byteLength(header)
  }
  if (bytes > MOST_BYTES) throw refuse(`a message may have ${MOST_BYTES} bytes, received ${bytes}`)
  return bytes
}
