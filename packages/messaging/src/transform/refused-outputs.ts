import type { KafkaMessage } from '@taproom/kafkajs'

/** Finds the message whose outputs Kafka refuses, so that it is skipped and not retried for ever. */
export class RefusedOutputs {
  readonly #suspectUntil = new Map<number, bigint>()
  readonly #refused = new Map<number, bigint>()

  /** Notes that Kafka refused the outputs of these messages. */
  note(partition: number, messages: readonly KafkaMessage[]): void {
    const last = messages.at(-1)
    if (last !== undefined)
      (messages.length === 1 ? this.#refused : this.#suspectUntil).set(partition, BigInt(last.offset))
  }

  /** Whether messages from here on must be transformed one by one, to find the refused one. */
  isSuspect(partition: number, offset: bigint): boolean {
    return offset <= (this.#suspectUntil.get(partition) ?? -1n)
  }

  /** Whether its outputs were refused in their own transaction. */
  isRefused(partition: number, offset: bigint): boolean {
    return this.#refused.get(partition) === offset
  }
}
