import type { KafkaMessage } from 'kafkajs'

/** Finds the one message whose outputs Kafka refuses, so that it is skipped and not transformed again for ever. */
export interface RefusedOutputs {
  /** Kafka refused the outputs of these messages. */
  note(partition: number, messages: readonly KafkaMessage[]): void
  /** The messages here have to be transformed one by one, to find the one that is refused. */
  isSuspect(partition: number, offset: bigint): boolean
  /** Its outputs were refused in a transaction of their own. */
  isRefused(partition: number, offset: bigint): boolean
}

/** Knows of no refusal yet. */
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
