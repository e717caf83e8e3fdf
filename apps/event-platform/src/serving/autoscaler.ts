import type { ScalingSpec } from '../resources/scaling.ts'
import { ConcurrencyMeter } from './concurrency-meter.ts'

/** The panic window is this part of the stable one. */
const PANIC_WINDOW = 0.1
/** Twice as many instances wanted as there are is a panic. */
const PANIC_THRESHOLD = 2

/** How an autoscaler decides. */
export interface AutoscalerOptions {
  readonly scaling: ScalingSpec
  /** Time over which concurrency is averaged and after which, without requests, the last instance goes. */
  readonly windowMs: number
  /** Upper bound whatever the service asks for; its min-scale is granted all the same. */
  readonly maxInstances: number
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
}

/**
 * Decides how many instances a revision should have, by Knative's rules: average concurrency over the window divided by the
 * target; over a tenth of the window when that asks for twice of what is there (panic: no scaling down until a window has
 * passed); halved at most per decision; to zero when nothing was in flight for a whole window. A new revision keeps its
 * initial scale for a window; from zero it comes with its activation scale at least.
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

  /** A request arrived; it counts while it waits for an instance. */
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

  /** The number of instances there should be now, given how many there are. */
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
    // Averages are sums of fractions: what is above a whole number by less than a thousandth is not above it.
    return Math.ceil(this.#meter.average(windowMs, now) / target - 0.001)
  }

  /** What the panic asks for; 0 when there is none. */
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
