import type { FaultRule } from './rule.ts'

/** A rule that is in force until it ends. */
export class ActiveRule {
  readonly id: string
  readonly rule: FaultRule
  /** Requests that met it. */
  hits = 0
  readonly #expiresAt: number
  readonly #expiry: NodeJS.Timeout
  readonly #waiting = new Set<() => void>()
  isOver = false

  constructor(id: string, rule: FaultRule, options: { readonly lastsMs: number; readonly onExpired: () => void }) {
    this.id = id
    this.rule = rule
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
