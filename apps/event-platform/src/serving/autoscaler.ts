import type { ScalingSpec } from '../resources/scaling.ts'
import { ConcurrencyMeter } from './concurrency-meter.ts'

/** The panic window, as part of the stable one. */
const PANIC_WINDOW = 0.1
/** Panic begins when this many times the present instances are wanted. */
const PANIC_THRESHOLD = 2

export interface AutoscalerOptions {
  readonly scaling: ScalingSpec
  /** Averages concurrency over this time; the last instance stops after it without requests. */
  readonly windowMs: number
  /** Upper bound for every service, except for its min-scale. */
  readonly maxInstances: number
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
}

/**
 * Decides how many instances a revision should have, by Knative's rules: average concurrency over the window divided by the target; over a
 * tenth of the window when that asks for twice the present instances (panic: no scaling down until a window has passed); at most halved per
 * decision; to zero after a whole window without requests. A new revision keeps its initial scale for a window; from zero, at least its
 * activation scale.
 */
export class Autoscaler {
  readonly #options: AutoscalerOptions
  readonly #meter: ConcurrencyMeter
  readonly #createdAt: number
  #lastActive: number
  #panic: { since: number; instances: number } | undefined

  constructor(options: AutoscalerOptions) {
    this.#options = options
    const now = options.now()
    this.#meter = new ConcurrencyMeter({ windowMs: options.windowMs, now })
    this.#createdAt = now
    this.#lastActive = now
  }

  get inFlight(): number {
    return this.#meter.inFlight
  }

  /** A waiting request counts too. */
  requestStarted(): void {
    const now = this.#options.now()
    if (this.#meter.inFlight === 0 && now - this.#lastActive >= this.#options.windowMs) this.#meter.reset(now)
    this.#meter.change(1, now)
    this.#lastActive = now
  }

  requestEnded(): void {
    this.#lastActive = this.#options.now()
    this.#meter.change(-1, this.#lastActive)
  }

  /** Instances wanted now, given the present number. */
  desired(current: number): number {
    const now = this.#options.now()
    const { scaling, windowMs, maxInstances } = this.#options
    const isNew = now - this.#createdAt < windowMs
    const awake = current === 0 && this.#meter.inFlight > 0 ? scaling.activationScale : 1
    const least = Math.max(scaling.minScale, isNew ? scaling.initialScale : 0, this.#isIdle(now) ? 0 : awake)
    const most = Math.max(scaling.minScale, Math.min(scaling.maxScale || maxInstances, maxInstances))
    const wanted = Math.max(this.#wanted(windowMs, now), this.#panicking(current, now), Math.floor(current / 2))
    return Math.min(Math.max(this.#isIdle(now) && current <= 1 ? 0 : wanted, least), most)
  }

  #isIdle(now: number): boolean {
    return this.#meter.inFlight === 0 && now - this.#lastActive >= this.#options.windowMs
  }

  #wanted(windowMs: number, now: number): number {
    const { target: wanted, utilization } = this.#options.scaling
    const target = Math.max(wanted * utilization, 0.01)
    // Rounding errors of averages must not add an instance: less than a thousandth above a whole number does not count.
    return Math.ceil(this.#meter.average(windowMs, now) / target - 0.001)
  }

  /** Instances wanted in panic; 0 without one. */
  #panicking(current: number, now: number): number {
    const { windowMs } = this.#options
    const wanted = this.#wanted(windowMs * PANIC_WINDOW, now)
    if (current > 0 && wanted >= PANIC_THRESHOLD * current) {
      this.#panic = { since: now, instances: Math.max(wanted, this.#panic?.instances ?? 0) }
    } else if (this.#panic !== undefined && now - this.#panic.since >= windowMs) {
      this.#panic = undefined
    }
    return this.#panic?.instances ?? 0
  }
}
