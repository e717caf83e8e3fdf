import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import type { ActiveRule } from './active-rule.ts'
import type { ErrorPlace } from './error-answer.ts'
import type { FaultTarget } from './fault-target.ts'
import { PARTITION_APIS } from './rule.ts'

/** Takes the place of an answer. */
export type Verdict =
  | { readonly kind: 'error'; readonly errorCode: ErrorCode; readonly place: ErrorPlace | undefined }
  /** The connection is to be closed when `over` resolves. */
  | { readonly kind: 'silence'; readonly over: Promise<void> }

/** The rules for one request. */
export class RequestFaults {
  readonly #rules: readonly ActiveRule[]
  readonly #target: FaultTarget
  readonly #signal: AbortSignal
  /** The draws for this request, so that each rule counts it once. */
  readonly #drawn = new Map<ActiveRule, boolean>()

  constructor(rules: readonly ActiveRule[], target: FaultTarget, signal: AbortSignal) {
    this.#rules = rules
    this.#target = target
    this.#signal = signal
  }

  #strikes(active: ActiveRule): boolean {
    const drawn = this.#drawn.get(active) ?? active.strikes()
    this.#drawn.set(active, drawn)
    return drawn
  }

  /** Waits as long as the longest delay says, and until nothing that the request names is paused. */
  async wait(): Promise<void> {
    const waits = this.#rules.flatMap((active) => {
      const { rule } = active
      if ((rule.kind !== 'delay' && rule.kind !== 'pause') || !this.#strikes(active)) return []
      return active.wait(this.#signal, rule.kind === 'delay' ? rule.delayMs : undefined)
    })
    await Promise.all(waits)
  }

  /** Replaces the work; handlers refuse single partitions by {@link check}. */
  before(): Verdict | undefined {
    return this.#verdict(false)
  }

  /** Replaces the answer when the work is done. */
  after(): Verdict | undefined {
    return this.#verdict(true)
  }

  #verdict(isAfter: boolean): Verdict | undefined {
    const { api, topicId } = this.#target
    for (const active of this.#rules) {
      const { rule } = active
      if (rule.kind !== 'error' && rule.kind !== 'drop' && rule.kind !== 'black-hole') continue
      if ((rule.after === true) !== isAfter) continue
      if (rule.kind === 'error' && !isAfter && PARTITION_APIS.includes(api)) continue
      if (!this.#strikes(active)) continue
      if (rule.kind === 'drop') return { kind: 'silence', over: Promise.resolve() }
      if (rule.kind === 'black-hole') return { kind: 'silence', over: active.wait(this.#signal) }
      const { topic, partition } = rule
      const place = topic === undefined ? undefined : { topic, topicId: topicId(topic), partition }
      return { kind: 'error', errorCode: ErrorCode[rule.error], place }
    }
    return undefined
  }

  /** @throws {ProtocolError} when a rule refuses this partition (or topic) */
  check(topic: string, partition?: number): void {
    for (const active of this.#rules) {
      const { rule } = active
      if (rule.kind !== 'error' || rule.after || !active.concerns(topic, partition) || !this.#strikes(active)) continue
      throw new ProtocolError(ErrorCode[rule.error], `a rule of the control API: ${active.id}`)
    }
    if (partition !== undefined && this.isLeaderless(topic, partition)) {
      throw new ProtocolError(ErrorCode.NOT_LEADER_OR_FOLLOWER, `partition ${partition} of ${topic} has no leader`)
    }
  }

  isLeaderless(topic: string, partition: number): boolean {
    return this.#rules.some(
      (active) => active.rule.kind === 'leaderless' && active.concerns(topic, partition) && this.#strikes(active),
    )
  }
}
