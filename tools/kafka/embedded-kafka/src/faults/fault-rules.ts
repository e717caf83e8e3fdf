import { ActiveRule } from './active-rule.ts'
import type { FaultTarget } from './fault-target.ts'
import { RequestFaults } from './request-faults.ts'
import type { FaultRule } from './rule.ts'

const DEFAULT_LASTS_MS = 600_000
/** Rules at a time. */
export const MAX_RULES = 1000

/** The rules by which requests go wrong; without any, nothing is looked at. */
export class FaultRules {
  readonly #rules = new Map<string, ActiveRule>()
  readonly #watchers = new Set<() => void>()
  #lastId = 0

  /** The new rule; undefined when there is no room for it. */
  add(rule: FaultRule): ActiveRule | undefined {
    if (this.#rules.size >= MAX_RULES) {
      for (const each of this.#rules.values()) if (each.isUsedUp) this.delete(each.id)
      if (this.#rules.size >= MAX_RULES) return undefined
    }
    this.#lastId += 1
    const id = String(this.#lastId)
    const lastsMs = rule.expiresInMs ?? DEFAULT_LASTS_MS
    const active = new ActiveRule(id, rule, { lastsMs, onExpired: () => this.delete(id) })
    this.#rules.set(id, active)
    if (rule.kind === 'away') this.#callWatchers()
    return active
  }

  #callWatchers(): void {
    for (const changed of this.#watchers) changed()
  }

  get all(): readonly ActiveRule[] {
    return [...this.#rules.values()]
  }

  find(id: string): ActiveRule | undefined {
    return this.#rules.get(id)
  }

  /** Ends a rule, and with it what waits for it; false when there is none. */
  delete(id: string): boolean {
    const active = this.#rules.get(id)
    if (active === undefined) return false
    active.end()
    this.#rules.delete(id)
    if (active.rule.kind === 'away') this.#callWatchers()
    return true
  }

  clear(): void {
    for (const id of [...this.#rules.keys()]) this.delete(id)
  }

  /** True while clients cannot reach a broker. */
  isAway(nodeId: number): boolean {
    return this.all.some(({ rule }) => rule.kind === 'away' && (rule.nodeId ?? nodeId) === nodeId)
  }

  /** Calls back when the broker goes away, and when it comes back, until it is disposed of. */
  watchAway(changed: () => void): Disposable {
    this.#watchers.add(changed)
    return { [Symbol.dispose]: () => void this.#watchers.delete(changed) }
  }

  get isEmpty(): boolean {
    return this.#rules.size === 0
  }

  /** Finds the rules for a request; undefined without any. */
  of(target: FaultTarget, signal: AbortSignal): RequestFaults | undefined {
    const rules = this.all.filter((active) => active.isAbout(target))
    return rules.length === 0 ? undefined : new RequestFaults(rules, target, signal)
  }
}
