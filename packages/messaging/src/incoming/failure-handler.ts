import { reasonOf } from '@taproom/core/lines'
import { createBackOff } from '@taproom/core/time'
import { deadLetterOf, emptyDeadLetterOf } from '../channel/dead-letter.ts'
import { InvalidMessageError } from '../channel/errors.ts'
import type { IncomingMessage } from '../channel/message.ts'
import { isLocal, isRefusedRecord } from '../kafka/broker-answer.ts'
import { type KafkaClient, RETRY_WAITS } from '../kafka/client.ts'
import { openOutgoing } from '../outgoing/open-outgoing.ts'
import type { IncomingOptions } from './incoming-channel.ts'

export type FailureHandler = ReturnType<typeof createFailureHandler>

interface FailureHandlerOptions
  extends Pick<Required<IncomingOptions>, 'channel' | 'failureStrategy' | 'deadLetterTopic'> {
  readonly kafka: KafkaClient
  /** Called when a message failed and the strategy is `fail`. */
  onStop(reason: string): void
}

interface Failure {
  readonly error: unknown
  /** How many records could not be decoded; undefined where a handler failed. */
  readonly unreadable?: number
}

/** Handles messages whose handler failed and records that cannot be decoded, by one failure strategy. */
export function createFailureHandler(options: FailureHandlerOptions) {
  const { kafka, channel, failureStrategy, deadLetterTopic, onStop } = options
  const { log } = kafka
  let deadLettered = 0
  const deadLetters =
    failureStrategy === 'dead-letter-queue'
      ? openOutgoing(kafka, { channel: `${channel}-dead-letters`, topic: deadLetterTopic })
      : undefined

  /** Waits for the dead-letter topic without a limit; the message stays in flight. */
  async function writeDeadLetter(message: IncomingMessage, error: unknown, signal: AbortSignal): Promise<boolean> {
    const backOff = createBackOff(RETRY_WAITS)
    const letters = [deadLetterOf(message, error), emptyDeadLetterOf(message, error)]
    let letter = letters.shift()
    while (deadLetters !== undefined && letter !== undefined && !signal.aborted) {
      try {
        await deadLetters.send(letter)
        deadLettered += 1
        return true
      } catch (cause) {
        if (isRefusedRecord(cause) || isLocal(cause) || cause instanceof InvalidMessageError) {
          log.error({ channel, err: cause }, 'dead letter refused')
          letter = letters.shift()
          continue
        }
        log.warn({ channel, err: cause }, 'dead-letter topic not written, trying again')
        await backOff.wait(signal)
      }
    }
    // Kafka refused even the empty letter: the message is skipped, and the log says where it is.
    return letter === undefined
  }

  return {
    get deadLettered(): number {
      return deadLettered
    },
    /** Resolves true when the message can be acknowledged, false when it must be read again. Never rejects. */
    async settle(message: IncomingMessage, { error, unreadable }: Failure, signal: AbortSignal): Promise<boolean> {
      const { topic, partition, offset } = message
      const fields = {
        ...{ channel, topic, partition, offset, ...(unreadable && { records: unreadable }) },
        ...{ reason: reasonOf(error), err: error },
      }
      const what = unreadable === undefined ? 'kafka message failed' : 'kafka records unreadable'
      switch (failureStrategy) {
        case 'dead-letter-queue':
          log.warn(fields, `${what}, sent to the dead-letter topic`)
          return await writeDeadLetter(message, error, signal)
        case 'ignore':
          log.warn(fields, `${what}, ignored`)
          return true
        case 'fail':
          log.error(fields, `${what}, the channel stops`)
          onStop(reasonOf(error))
          return false
      }
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await deadLetters?.[Symbol.asyncDispose]()
    },
  }
}
