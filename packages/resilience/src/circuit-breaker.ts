import type { Event, IDefaultPolicyContext, IFailureEvent, IPolicy, ISuccessEvent } from 'cockatiel'
import type { Clock } from './call.ts'
import { decide, type ErrorMatcher, type ErrorPredicate } from './error-matcher.ts'
import { CircuitOpenError } from './errors.ts'
import { createNotifier } from './notifier.ts'
import { optionRules } from './option-rules.ts'
import { createRollingWindow, failureThreshold, type RollingWindow } from './rolling-window.ts'

/** Names, defaults and rules are MicroProfile Fault Tolerance 4.1's. */
export interface CircuitBreakerOptions {
  /** Used in messages and events. Default `circuit breaker`. */
  readonly name?: string
  /** Size of the rolling window, in calls. Default 20. */
  readonly requestVolumeThreshold?: number
  /** Share of failures in a full window that opens the circuit, from 0 to 1. Default 0.5. */
  readonly failureRatio?: number
  /** How long the circuit stays open, in milliseconds. Default 5000. */
  readonly delayMs?: number
  /** How many trial calls a half-open circuit admits; all must succeed to close it. Default 1. */
  readonly successThreshold?: number
  /** Which errors are failures; any other counts as a success. Default all. */
  readonly failOn?: ErrorMatcher
  /** Which errors count as a success, even if `failOn` matches. Default none. */
  readonly skipOn?: ErrorMatcher
  /** Default `performance.now`. */
  readonly now?: Clock
}

/** Closed admits calls, open refuses them, half-open admits trial calls. */
export type CircuitState = 'closed' | 'open' | 'half-open'

export interface CircuitStateChange {
  readonly from: CircuitState
  readonly to: CircuitState
}

type State =
  | { readonly kind: 'closed'; readonly window: RollingWindow }
  | { readonly kind: 'open'; readonly until: number; readonly timer: NodeJS.Timeout }
  | { readonly kind: 'half-open'; admitted: number; successes: number }

/**
 * MicroProfile's circuit breaker as a cockatiel policy: use it in a guard, or with cockatiel's own `wrap`.
 * Share one instance between all calls to a remote.
 * Same rules as SmallRye `CircuitBreaker`, except that a call whose caller gave up (its signal is aborted) is not counted, because
 * it says nothing about the remote; in half-open another trial call is admitted instead.
 */
export class CircuitBreaker implements IPolicy {
  declare readonly _altReturn: never
  readonly name: string
  readonly #delayMs: number
  readonly #successThreshold: number
  readonly #newWindow: () => RollingWindow
  readonly #isFailure: ErrorPredicate
  readonly #now: Clock
  readonly #success = createNotifier<ISuccessEvent>()
  readonly #failure = createNotifier<IFailureEvent>()
  readonly #reject = createNotifier<CircuitOpenError>()
  readonly #stateChange = createNotifier<CircuitStateChange>()
  #state: State

  readonly onSuccess: Event<ISuccessEvent> = this.#success.on
  readonly onFailure: Event<IFailureEvent> = this.#failure.on
  /** A call was refused. */
  readonly onReject: Event<CircuitOpenError> = this.#reject.on
  /** The state changed; from open to half-open by a timer, without a call. */
  readonly onStateChange: Event<CircuitStateChange> = this.#stateChange.on

  /** @throws {InvalidOptionError} when an option is invalid, naming option, rule and value */
  constructor(options: CircuitBreakerOptions = {}) {
    this.name = options.name ?? 'circuit breaker'
    const rules = optionRules(this.name)
    const size = rules.integer('requestVolumeThreshold', options.requestVolumeThreshold ?? 20, 1)
    const ratio = rules.ratio('failureRatio', options.failureRatio ?? 0.5)
    this.#delayMs = rules.duration('delayMs', options.delayMs ?? 5000)
    this.#successThreshold = rules.integer('successThreshold', options.successThreshold ?? 1, 1)
    this.#isFailure = decide(options.failOn, options.skipOn)
    this.#now = options.now ?? (() => performance.now())
    const threshold = failureThreshold(ratio, size)
    this.#newWindow = () => createRollingWindow(size, threshold)
    this.#state = this.#closed()
  }

  get state(): CircuitState {
    return this.#state.kind
  }

  /** How long until trial calls are admitted; 0 unless open. */
  get retryAfterMs(): number {
    return this.#state.kind === 'open' ? Math.max(0, this.#state.until - this.#now()) : 0
  }

  /** Closes the circuit with an empty window; results of calls in flight are ignored. */
  reset(): void {
    this.#move(this.#state, this.#closed())
  }

  async execute<T>(
    call: (context: IDefaultPolicyContext) => PromiseLike<T> | T,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<T> {
    const state = this.#admit()
    const startedAt = this.#now()
    try {
      const value = await call({ signal })
      this.#record(state, false)
      this.#success.emit({ duration: this.#now() - startedAt })
      return value
    } catch (error) {
      const duration = this.#now() - startedAt
      if (signal.aborted) {
        if (state.kind === 'half-open') state.admitted -= 1
      } else if (this.#isFailure(error)) {
        this.#record(state, true)
        this.#failure.emit({ duration, handled: true, reason: { error } })
      } else {
        this.#record(state, false)
        this.#success.emit({ duration })
      }
      throw error
    }
  }

  /** The state that admits a call, to be passed back with the result; throws when the call is refused. */
  #admit(): State {
    // The timer may be late: then the first call after the delay changes the state.
    if (this.#state.kind === 'open' && this.#now() >= this.#state.until) this.#halfOpen(this.#state)
    const state = this.#state
    if (state.kind === 'closed') return state
    if (state.kind === 'half-open' && state.admitted < this.#successThreshold) {
      state.admitted += 1
      return state
    }
    const error = new CircuitOpenError(this.name, state.kind, this.retryAfterMs)
    this.#reject.emit(error)
    throw error
  }

  #record(state: State, failed: boolean): void {
    if (state.kind === 'closed') {
      if (state.window.record(failed)) this.#open(state)
    } else if (failed) {
      this.#open(state)
    } else if (state.kind === 'half-open') {
      state.successes += 1
      if (state.successes >= this.#successThreshold) this.#move(state, this.#closed())
    }
  }

  #closed(): State {
    return { kind: 'closed', window: this.#newWindow() }
  }

  #open(from: State): void {
    if (this.#state !== from) return
    const timer = setTimeout(() => this.#halfOpen(open), this.#delayMs)
    timer.unref()
    const open: State = { kind: 'open', until: this.#now() + this.#delayMs, timer }
    this.#move(from, open)
  }

  #halfOpen(from: State): void {
    this.#move(from, { kind: 'half-open', admitted: 0, successes: 0 })
  }

  /** Compare and set: a result that belongs to an older state changes nothing. */
  #move(from: State, to: State): void {
    if (this.#state !== from) return
    if (from.kind === 'open') clearTimeout(from.timer)
    this.#state = to
    if (from.kind !== to.kind) this.#stateChange.emit({ from: from.kind, to: to.kind })
  }
}
