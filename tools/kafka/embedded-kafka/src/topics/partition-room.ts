import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import { isInternalTopic } from './internal-topics.ts'
import { MAX_PARTITIONS_OF_TOPIC } from './topic.ts'

/** How many partitions there are, and whether there may be more. Those of internal topics count for nothing: coordinators always have theirs. */
export class PartitionRoom {
  readonly #most: number
  #count = 0

  constructor(most: number) {
    this.#most = most
  }

  get count(): number {
    return this.#count
  }

  add(topic: string, more: number): void {
    if (!isInternalTopic(topic)) this.#count += more
  }

  /** @throws {ProtocolError} POLICY_VIOLATION when there is no room for `more` of a topic that then has `ofTopic` */
  check(topic: string, more: number, ofTopic: number): void {
    if (ofTopic > MAX_PARTITIONS_OF_TOPIC) {
      const message = `a topic of this broker has at most ${MAX_PARTITIONS_OF_TOPIC} partitions`
      throw new ProtocolError(ErrorCode.POLICY_VIOLATION, message)
    }
    if (isInternalTopic(topic) || this.#count + more <= this.#most) return
    throw new ProtocolError(ErrorCode.POLICY_VIOLATION, `this broker holds at most ${this.#most} partitions`)
  }
}
