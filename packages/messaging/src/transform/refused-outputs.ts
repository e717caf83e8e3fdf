import type { KafkaMessage } from 'kafkajs'

/** Finds the message whose outputs Kafka refuses, so that it is skipped and not retried for ever. */
export interface RefusedOutputs {
  /** Notes that Kafka refused the outputs of these messages. */
  note(partition: number, messages: readonly KafkaMessage[]): void
  /** Whether messages from here on must be transformed one by one, to find the refused one. */
  isSuspect(partition: number, offset: bigint): boolean
  /** Whether its outputs were refused in their own transaction. */
  isRefused(partition: number, offset: bigint): boolean
}

export function createRefusedOutputs(): RefusedOutputs {
  const suspectUntil = new Map<number, bigint>()
  const refused = new Map<number, bigint>()
  return {
    note(partition, messages) {
      const last = messages.at(-1)
      if (last === undefined) return
      if (messages.length === 1) refused.set(partition, BigInt(last.offset))
      else suspectUntil.set(partition, BigInt(last.offset))
    },
    isSuspect: (partition, offset) => offset <= (suspectUntil.get(partition) ?? -1n),
    isRefused: (partition, offset) => refused.get(partition) === offset,
  }
}
