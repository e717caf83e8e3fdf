import { outsideSpans, tracing } from '@taproom/core/spans'
import type { ScalingSpec } from '../resources/scaling.ts'
import { Autoscaler } from './autoscaler.ts'
import { RevisionStoppedError, UnavailableError } from './errors.ts'
import { InstancePool, type InstancePoolOptions, type Lease } from './instance-pool.ts'
import { WaitingRequests } from './waiting-requests.ts'

/**
 * Times are milliseconds. A revision goes to zero after `idleMs` without requests, over which concurrency is averaged too; an instance has
 * `stopGraceMs` to end after SIGTERM.
 */
export interface RevisionLimits extends Pick<InstancePoolOptions, 'startTimeoutMs' | 'stopGraceMs'> {
  readonly idleMs: number
  /** Most requests held for an instance, each for `startTimeoutMs`. */
  readonly queueSize: number
  readonly maxInstances: number
}

export interface RevisionOptions
  extends Pick<InstancePoolOptions, 'name' | 'sink' | 'start' | 'log'>,
    Partial<Pick<InstancePoolOptions, 'onChange' | 'now'>> {
  readonly scaling: ScalingSpec
  readonly limits: RevisionLimits
}

/** Also how many requests wait for an instance. */
export type RevisionState = InstancePool['state'] & { readonly waiting: number }

const MAX_TICK_MS = 2000

/**
 * One version of a service. It has no instances without requests; the first request starts one and waits for it, as do requests beyond the
 * capacity of all instances. The {@link Autoscaler} sets the number; crashed instances restart with a back-off.
 */
export class Revision implements AsyncDisposable {
  readonly name: string
  readonly #options: RevisionOptions
  readonly #windowMs: number
  readonly #autoscaler: Autoscaler
  readonly #pool: InstancePool
  readonly #waiting = new WaitingRequests()
  #retry: NodeJS.Timeout | undefined
  #tick: NodeJS.Timeout | undefined
  #stopped: Promise<void> | undefined

  constructor(options: RevisionOptions) {
    const { name, sink, scaling, limits, start, log, onChange = () => {}, now = () => performance.now() } = options
    this.name = name
    this.#options = options
    this.#windowMs = scaling.windowMs ?? limits.idleMs
    this.#autoscaler = new Autoscaler({ scaling, windowMs: this.#windowMs, maxInstances: limits.maxInstances, now })
    this.#pool = new InstancePool({
      ...limits,
      name,
      sink,
      start,
      concurrency: scaling.containerConcurrency,
      log,
      now,
      onChange,
      onRoom: () => this.#waiting.serve(() => this.#pool.lease()),
      onReleased: () => this.#autoscaler.requestEnded(),
      onCrash: () => this.#scale(),
    })
    if (scaling.minScale > 0 || scaling.initialScale > 0) this.#scale()
  }

  get state(): RevisionState {
    return { ...this.#pool.state, waiting: this.#waiting.size }
  }

  /**
   * Leases an instance for one request; waits when none is ready or has room.
   *
   * @throws {UnavailableError} when too many wait already or none is ready in time
   * @throws {RevisionStoppedError} when this revision is stopping
   */
  async acquire(signal: AbortSignal): Promise<Lease> {
    signal.throwIfAborted()
    if (this.#stopped !== undefined) throw new RevisionStoppedError(`revision ${this.name} is stopped`)
    const lease = this.#pool.lease()
    if (lease !== undefined) {
      this.#autoscaler.requestStarted()
      return lease
    }
    if (this.#waiting.size >= this.#options.limits.queueSize) {
      const message = `${this.#waiting.size} requests wait for ${this.name} already`
      throw new UnavailableError(message, { retryAfterSeconds: 1 })
    }
    this.#autoscaler.requestStarted()
    try {
      return await inWaitSpan(this.name, () => this.#wait(signal))
    } catch (error) {
      this.#autoscaler.requestEnded()
      throw error
    }
  }

  /** Stops all instances once their requests are over; rejects waiting requests. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#stopped ??= this.#stopAll()
    return this.#stopped
  }

  async #stopAll(): Promise<void> {
    clearTimeout(this.#tick)
    clearTimeout(this.#retry)
    this.#waiting.rejectAll(new RevisionStoppedError(`revision ${this.name} is stopped`))
    await this.#pool.close()
  }

  #wait(signal: AbortSignal): Promise<Lease> {
    const { startTimeoutMs } = this.#options.limits
    const lease = this.#waiting.wait(signal, startTimeoutMs, () => {
      const seconds = Math.ceil(Math.max(this.#pool.startDelayMs, 1000) / 1000)
      const message = `no instance of ${this.name} was ready within ${startTimeoutMs} ms`
      return new UnavailableError(message, { retryAfterSeconds: seconds })
    })
    // An instance outlives the request that it was started for.
    outsideSpans(() => this.#scale())
    return lease
  }

  /** Matches the number of instances to the autoscaler's, now and every tick while there is something to decide. */
  #scale(): void {
    if (this.#stopped !== undefined) return
    const desired = this.#autoscaler.desired(this.#pool.size)
    this.#grow(desired)
    this.#pool.shrinkTo(desired)
    this.#tick ??= setTimeout(
      () => {
        this.#tick = undefined
        if (!this.#pool.isEmpty || this.#waiting.size > 0 || desired > 0) this.#scale()
      },
      Math.min(MAX_TICK_MS, Math.max(20, this.#windowMs / 10)),
    )
  }

  /** After a crash, waits for the back-off. */
  #grow(desired: number): void {
    while (this.#pool.size < desired) {
      const delay = this.#pool.startDelayMs
      if (delay === 0) {
        this.#pool.add()
        continue
      }
      this.#retry ??= setTimeout(() => {
        this.#retry = undefined
        this.#scale()
      }, delay)
      return
    }
  }
}

/**
 * Waits for an instance in a span of the event or request that waits: its length is the time in the queue, `instance.start_ms` how long the
 * instance that it got took to be ready, if it was waiting for its start.
 */
async function inWaitSpan(revision: string, wait: () => Promise<Lease>): Promise<Lease> {
  const traces = tracing()
  if (traces === undefined) return await wait()
  const waitingSince = performance.now()
  const attributes = { 'service.revision': revision }
  return await traces.during('@taproom/event-platform', 'wait for instance', { attributes }, async (span) => {
    const lease = await wait()
    const { startedAt, readyAt } = lease.start
    if (readyAt >= waitingSince) span?.setAttribute('instance.start_ms', readyAt - startedAt)
    return lease
  })
}
