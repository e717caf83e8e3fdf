import type { KafkaMessage } from '@taproom/kafkajs'

/**
 * Into how many smaller transactions a failed one is divided. A failure costs as much as dozens of transactions: so one message of 2000 is
 * found with three failures (2000, 40, 1), not with one for each halving.
 */
const PIECES = 50

/** Messages up to an offset, of which so many may be in a transaction. */
interface Suspects {
  readonly until: bigint
  readonly atOnce: number
}

/** What came of a message was refused in its own transaction. */
export interface Refusal {
  readonly times: number
  /** Kafka's last answer. */
  readonly error: unknown
}

/** Finds the message whose outputs Kafka refuses, so that it is skipped and not retried for ever. */
export class RefusedOutputs {
  /** By partition; each lies within the one before it. */
  readonly #suspects = new Map<number, Suspects[]>()
  /** The last one of each partition. */
  readonly #refused = new Map<number, Refusal & { readonly offset: bigint }>()

  /** Notes that Kafka refused the outputs of these messages. */
  note(partition: number, messages: readonly Pick<KafkaMessage, 'offset'>[], error: unknown): void {
    const last = messages.at(-1)
    if (last === undefined) return
    const offset = BigInt(last.offset)
    const { times } = this.refusal(partition, offset) ?? { times: 0 }
    if (messages.length === 1) this.#refused.set(partition, { offset, times: times + 1, error })
    else this.divide(partition, messages)
  }

  /** Has these messages transformed in smaller transactions, if there are several. */
  divide(partition: number, messages: readonly Pick<KafkaMessage, 'offset'>[]): void {
    const last = messages.at(-1)
    if (last === undefined || messages.length === 1) return
    const suspects = this.#suspects.get(partition) ?? []
    const atOnce = Math.ceil(messages.length / PIECES)
    // Only after another member had the partition meanwhile.
    while ((suspects.at(-1)?.atOnce ?? Number.POSITIVE_INFINITY) <= atOnce) suspects.pop()
    suspects.push({ until: BigInt(last.offset), atOnce })
    this.#suspects.set(partition, suspects)
  }

  /** How many messages from here on may be in a transaction; undefined where nothing was refused. */
  atOnce(partition: number, offset: bigint): number | undefined {
    const suspects = this.#suspects.get(partition)
    if (suspects === undefined) return undefined
    while ((suspects.at(-1)?.until ?? offset) < offset) suspects.pop()
    if (suspects.length === 0) this.#suspects.delete(partition)
    return suspects.at(-1)?.atOnce
  }

  /** Undefined where Kafka refused nothing of this message. */
  refusal(partition: number, offset: bigint): Refusal | undefined {
    const last = this.#refused.get(partition)
    return last?.offset === offset ? last : undefined
  }
}
