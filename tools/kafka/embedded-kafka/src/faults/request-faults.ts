import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import type { ActiveRule } from './active-rule.ts'

interface TopicPartitions {
  readonly name: string
  readonly partitions: readonly { readonly index: number }[]
}

/** What the rules say about one request. */
export class RequestFaults {
  readonly #rules: readonly ActiveRule[]
  readonly #signal: AbortSignal
  readonly #taken = new Set<ActiveRule>()

  constructor(rules: readonly ActiveRule[], signal: AbortSignal) {
    this.#rules = rules
    this.#signal = signal
  }

  /** Counts the request once for each rule, and not for a rule that has no requests left. */
  #take(rule: ActiveRule): boolean {
    if (this.#taken.has(rule)) return true
    if (rule.isOver || rule.isUsedUp) return false
    rule.hits += 1
    this.#taken.add(rule)
    return true
  }

  /** Waits as long as the longest delay says. */
  async delay(): Promise<void> {
    const waits = this.#rules.flatMap((active) => {
      const { rule } = active
      return rule.kind === 'delay' && this.#take(active) ? active.wait(this.#signal, rule.delayMs) : []
    })
    await Promise.all(waits)
  }

  /** The error for the request as a whole, if there is one. */
  refusal(): ErrorCode | undefined {
    const active = this.#rules.find((each) => each.rule.kind === 'error' && this.#take(each))
    return active?.rule.kind === 'error' ? ErrorCode[active.rule.error] : undefined
  }

  /** @throws {ProtocolError} when a rule refuses this partition (or topic) */
  check(topic: string, partition?: number): void {
    for (const active of this.#rules) {
      const { kind } = active.rule
      if (kind !== 'error' || !active.concerns(topic, partition) || !this.#take(active)) continue
      throw new ProtocolError(ErrorCode[active.rule.error], `a rule of the control API: ${active.id}`)
    }
    if (partition !== undefined && this.isLeaderless(topic, partition)) {
      throw new ProtocolError(ErrorCode.NOT_LEADER_OR_FOLLOWER, `partition ${partition} of ${topic} has no leader`)
    }
  }

  isLeaderless(topic: string, partition: number): boolean {
    return this.#rules.some(
      (active) => active.rule.kind === 'leaderless' && active.concerns(topic, partition) && this.#take(active),
    )
  }

  /** Resolves when none of the partitions is paused. */
  async resumed(topics: readonly TopicPartitions[]): Promise<void> {
    const pauses = this.#rules.filter((active) => {
      const isMeant = ({ name, partitions }: TopicPartitions) =>
        partitions.some(({ index }) => active.concerns(name, index))
      return active.rule.kind === 'pause' && topics.some(isMeant) && this.#take(active)
    })
    await Promise.all(pauses.map((active) => active.wait(this.#signal)))
  }
}
