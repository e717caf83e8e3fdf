import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { INTERNAL_PARTITIONS, isInternalTopic } from './internal-topics.ts'

/** How many partitions there may be, in all topics together and in one topic. */
export interface PartitionLimits {
  readonly maxPartitions: number
  /** Internal topics have at least {@link INTERNAL_PARTITIONS}. */
  readonly maxTopicPartitions: number
}

/** How many partitions there are, and whether there may be more. Those of internal topics count for nothing: coordinators always have theirs. */
export class PartitionRoom {
  readonly #limits: PartitionLimits
  #count = 0

  constructor(limits: PartitionLimits) {
    this.#limits = limits
  }

  get count(): number {
    return this.#count
  }

  add(topic: string, more: number): void {
    if (!isInternalTopic(topic)) this.#count += more
  }

  /** @throws {ProtocolError} POLICY_VIOLATION when there is no room for `more` of a topic that then has `ofTopic` */
  check(topic: string, more: number, ofTopic: number): void {
    const { maxPartitions, maxTopicPartitions } = this.#limits
    const isInternal = isInternalTopic(topic)
    const most = isInternal ? Math.max(INTERNAL_PARTITIONS, maxTopicPartitions) : maxTopicPartitions
    if (ofTopic > most) {
      const message = `a topic of this broker has at most ${most} partitions (maxTopicPartitions); got ${ofTopic}`
      throw new ProtocolError(ErrorCode.POLICY_VIOLATION, message)
    }
    if (isInternal || this.#count + more <= maxPartitions) return
    const message = `this broker holds at most ${maxPartitions} partitions (maxPartitions)`
    throw new ProtocolError(ErrorCode.POLICY_VIOLATION, message)
  }
}
