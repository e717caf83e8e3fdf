import { ActiveRule } from './active-rule.ts'
import { RequestFaults } from './request-faults.ts'
import type { FaultRule } from './rule.ts'

const DEFAULT_LASTS_MS = 600_000
/** Rules at a time. */
export const MAX_RULES = 1000
/** What a rule without an API of its own is about. */
const APIS_OF_KIND: Readonly<Record<'pause' | 'leaderless', readonly string[]>> = {
  pause: ['Produce', 'Fetch'],
  leaderless: ['Produce', 'Fetch', 'ListOffsets', 'Metadata'],
}

function isAbout(rule: FaultRule, api: string, clientId: string): boolean {
  if (rule.kind === 'away') return false
  if (rule.clientId !== undefined && rule.clientId !== clientId) return false
  if (rule.kind === 'pause' || rule.kind === 'leaderless') return APIS_OF_KIND[rule.kind].includes(api)
  return rule.api === undefined || rule.api === api
}

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
    if (rule.kind === 'away') this.#tellWatchers()
    return active
  }

  #tellWatchers(): void {
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
    if (active.rule.kind === 'away') this.#tellWatchers()
    return true
  }

  clear(): void {
    for (const id of [...this.#rules.keys()]) this.delete(id)
  }

  /** Whether the broker is not to be reached. */
  get isAway(): boolean {
    return this.all.some(({ rule }) => rule.kind === 'away')
  }

  /** Calls back when the broker goes away, and when it comes back, until it is disposed of. */
  watchAway(changed: () => void): Disposable {
    this.#watchers.add(changed)
    return { [Symbol.dispose]: () => void this.#watchers.delete(changed) }
  }

  /** What is to go wrong with a request; undefined: nothing. */
  of(api: string, clientId: string, signal: AbortSignal): RequestFaults | undefined {
    if (this.#rules.size === 0) return undefined
    const rules = this.all.filter((active) => !active.isUsedUp && isAbout(active.rule, api, clientId))
    return rules.length === 0 ? undefined : new RequestFaults(rules, signal)
  }
}
