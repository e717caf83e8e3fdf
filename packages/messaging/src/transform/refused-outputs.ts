import type { KafkaMessage } from '@taproom/kafkajs'

/**
 * Into how many transactions those of one that was refused are divided. A failed transaction costs as much as dozens of good ones: so one of
 * 2000 is found with three of them, not with one for each halving.
 */
const PIECES = 50

/** Finds the message whose outputs Kafka refuses, so that it is skipped and not retried for ever. */
export class RefusedOutputs {
  readonly #suspects = new Map<number, { readonly until: bigint; readonly atOnce: number }>()
  readonly #refused = new Map<number, bigint>()

  /** Notes that Kafka refused the outputs of these messages. */
  note(partition: number, messages: readonly Pick<KafkaMessage, 'offset'>[]): void {
    const last = messages.at(-1)
    if (last === undefined) return
    const until = BigInt(last.offset)
    if (messages.length === 1) this.#refused.set(partition, until)
    else this.#suspects.set(partition, { until, atOnce: Math.ceil(messages.length / PIECES) })
  }

  /** How many messages from here on may be transformed together, to find the refused one; undefined where none is suspected. */
  atOnce(partition: number, offset: bigint): number | undefined {
    const suspects = this.#suspects.get(partition)
    return suspects !== undefined && offset <= suspects.until ? suspects.atOnce : undefined
  }

  /** Whether its outputs were refused in their own transaction. */
  isRefused(partition: number, offset: bigint): boolean {
    return this.#refused.get(partition) === offset
  }
}
