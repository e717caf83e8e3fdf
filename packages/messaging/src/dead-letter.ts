import type { IncomingMessage } from './message.ts'
import type { OutgoingChannel } from './outgoing-channel.ts'

/** Header names of SmallRye Reactive Messaging, so that its tools read these topics too. */
const HEADER = {
  reason: 'dead-letter-reason',
  cause: 'dead-letter-cause',
  topic: 'dead-letter-topic',
  partition: 'dead-letter-partition',
  offset: 'dead-letter-offset',
} as const

/** Writes a message that failed to the dead-letter topic: key, value and headers as they were, and why and whence. */
export async function sendToDeadLetters(
  deadLetters: OutgoingChannel,
  message: IncomingMessage,
  error: unknown,
): Promise<void> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers[name] = value
  }
  headers[HEADER.reason] = textOf(error)
  if (error instanceof Error && error.cause !== undefined) headers[HEADER.cause] = textOf(error.cause)
  headers[HEADER.topic] = message.topic
  headers[HEADER.partition] = String(message.partition)
  headers[HEADER.offset] = message.offset
  await deadLetters.send({ key: message.key, value: message.value, headers, timestamp: message.timestamp })
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
