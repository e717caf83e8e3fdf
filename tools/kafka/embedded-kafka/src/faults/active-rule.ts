import { type FaultTarget, namesGroup, namesTopic, namesTransaction } from './fault-target.ts'
import type { FaultRule } from './rule.ts'
import { seededRandom } from './seeded-random.ts'

/** APIs of the kinds of rules that have none of their own. */
const APIS_OF_KIND: Readonly<Record<'pause' | 'leaderless', readonly string[]>> = {
  pause: ['Produce', 'Fetch'],
  leaderless: ['Produce', 'Fetch', 'ListOffsets', 'Metadata'],
}

/** A rule that is in force until it ends. */
export class ActiveRule {
  readonly id: string
  readonly rule: FaultRule
  /** Requests that met it. */
  hits = 0
  readonly #expiresAt: number
  readonly #expiry: NodeJS.Timeout
  readonly #waiting = new Set<() => void>()
  readonly #random: () => number
  isOver = false

  constructor(id: string, rule: FaultRule, options: { readonly lastsMs: number; readonly onExpired: () => void }) {
    this.id = id
    this.rule = rule
    this.#random = seededRandom('seed' in rule ? (rule.seed ?? 0) : 0)
    this.#expiresAt = performance.now() + options.lastsMs
    this.#expiry = setTimeout(options.onExpired, options.lastsMs)
    this.#expiry.unref()
  }

  get expiresInMs(): number {
    return Math.max(0, Math.round(this.#expiresAt - performance.now()))
  }

  /** Has no requests left, but still counts those it had. */
  get isUsedUp(): boolean {
    return 'times' in this.rule && this.rule.times !== undefined && this.hits >= this.rule.times
  }

  /** True for a request that the rule is about. */
  isAbout(target: FaultTarget): boolean {
    const { rule } = this
    if (rule.kind === 'away' || this.isUsedUp) return false
    if (rule.clientId !== undefined && rule.clientId !== target.clientId) return false
    if (rule.nodeId !== undefined && rule.nodeId !== target.nodeId) return false
    // Handlers look which of their partitions have no leader; Metadata may ask for all topics without naming one.
    if (rule.kind === 'leaderless') return APIS_OF_KIND.leaderless.includes(target.api)
    if (rule.kind === 'pause') {
      return APIS_OF_KIND.pause.includes(target.api) && namesTopic(target, rule.topic, rule.partition)
    }
    if (rule.api !== undefined && rule.api !== target.api) return false
    if (rule.topic !== undefined && !namesTopic(target, rule.topic, rule.partition)) return false
    if (rule.groupId !== undefined && !namesGroup(target, rule.groupId)) return false
    return rule.transactionalId === undefined || namesTransaction(target, rule.transactionalId)
  }

  /** Draws whether the next request is struck; counts those that are. */
  strikes(): boolean {
    if (this.isOver || this.isUsedUp) return false
    const probability = 'probability' in this.rule ? this.rule.probability : undefined
    if (probability !== undefined && this.#random() >= probability) return false
    this.hits += 1
    return true
  }

  concerns(topic: string, partition: number | undefined): boolean {
    if (!('topic' in this.rule) || this.rule.topic === undefined) return true
    if (this.rule.topic !== topic) return false
    return this.rule.partition === undefined || partition === undefined || this.rule.partition === partition
  }

  /** Resolves after `ms`, at the end of the rule or when `signal` is aborted. */
  wait(signal: AbortSignal, ms?: number): Promise<void> {
    if (this.isOver || signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(end)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = ms === undefined ? undefined : setTimeout(end, ms)
      this.#waiting.add(end)
      signal.addEventListener('abort', end, { once: true })
    })
  }

  end(): void {
    this.isOver = true
    clearTimeout(this.#expiry)
    for (const go of [...this.#waiting]) go()
  }
}
