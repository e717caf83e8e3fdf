import { createBackOff } from './back-off.ts'
import { sendToDeadLetters } from './dead-letter.ts'
import type { FailureStrategy } from './incoming-channel.ts'
import type { KafkaClient } from './kafka.ts'
import type { IncomingMessage } from './message.ts'
import { openOutgoing } from './open-outgoing.ts'

/** What becomes of messages whose handler failed. */
export interface FailureHandler extends AsyncDisposable {
  readonly deadLettered: number
  /** Resolves true when the message is done with, false when it is to be read again. Never rejects. */
  settle(message: IncomingMessage, error: unknown, signal: AbortSignal): Promise<boolean>
}

interface FailureHandlerOptions {
  readonly kafka: KafkaClient
  readonly channel: string
  readonly strategy: FailureStrategy
  readonly deadLetterTopic: string
  /** The strategy is `fail` and a message failed. */
  onStop(reason: string): void
}

/** Applies one failure strategy. */
export function createFailureHandler(options: FailureHandlerOptions): FailureHandler {
  const { kafka, channel, strategy, deadLetterTopic, onStop } = options
  const { log } = kafka
  let deadLettered = 0
  const deadLetters =
    strategy === 'dead-letter-queue'
      ? openOutgoing(kafka, { channel: `${channel}-dead-letters`, topic: deadLetterTopic })
      : undefined

  /** The message waits for the dead-letter topic as long as it takes; meanwhile it holds its place in flight. */
  async function writeDeadLetter(message: IncomingMessage, error: unknown, signal: AbortSignal): Promise<boolean> {
    const backOff = createBackOff()
    while (deadLetters !== undefined && !signal.aborted) {
      try {
        await sendToDeadLetters(deadLetters, message, error)
        deadLettered += 1
        return true
      } catch (cause) {
        log.warn({ channel, err: cause }, 'dead-letter topic not written, trying again')
        await backOff.wait(signal)
      }
    }
    return false
  }

  return {
    get deadLettered() {
      return deadLettered
    },
    async settle(message, error, signal) {
      const { topic, partition, offset } = message
      const fields = { channel, topic, partition, offset, err: error }
      switch (strategy) {
        case 'dead-letter-queue':
          log.warn(fields, 'kafka message failed, sent to the dead-letter topic')
          return await writeDeadLetter(message, error, signal)
        case 'ignore':
          log.warn(fields, 'kafka message failed, ignored')
          return true
        case 'fail':
          log.error(fields, 'kafka message failed, the channel stops')
          onStop(error instanceof Error ? error.message : String(error))
          return false
      }
    },
    async [Symbol.asyncDispose]() {
      await deadLetters?.[Symbol.asyncDispose]()
    },
  }
}
