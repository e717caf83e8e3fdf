import type { ScalingSpec } from '../resources/knative-service.ts'
import { Autoscaler } from './autoscaler.ts'
import { CrashBackoff } from './crash-backoff.ts'
import { RevisionStoppedError, UnavailableError } from './errors.ts'
import type { Instance } from './instance.ts'
import { WaitingRequests } from './waiting-requests.ts'

/** The right to send one request to an instance. */
export interface Lease {
  /** The instance's address, without a trailing slash. */
  readonly url: string
  /** Says that the request is over; calling it again changes nothing. */
  release(): void
  /** Says that nothing listens there any more: the instance gets no further requests and is replaced. */
  discard(): void
}

/** What is needed of a logger here. */
export interface ServingLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** Limits and times of every revision, in milliseconds. */
export interface RevisionLimits {
  /** Without requests for this long a revision goes to zero; also the time concurrency is averaged over. */
  readonly idleMs: number
  /** How long a request waits for an instance. */
  readonly startTimeoutMs: number
  /** Requests that wait for an instance at most. */
  readonly queueSize: number
  readonly maxInstances: number
  /** Time an instance gets to end after SIGTERM. */
  readonly stopGraceMs: number
}

/** How a revision is set up. */
export interface RevisionOptions {
  readonly name: string
  readonly scaling: ScalingSpec
  readonly limits: RevisionLimits
  /** Starts one more instance. */
  readonly start: () => Instance
  readonly log: ServingLog
  /** Called when an instance came, became ready or went. */
  readonly onChange?: () => void
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number
}

/** What a revision is doing. */
export interface RevisionState {
  readonly ready: number
  readonly starting: number
  /** Requests with an instance. */
  readonly inFlight: number
  /** Requests that wait for one. */
  readonly waiting: number
  /** Failed starts and crashes in a row. */
  readonly crashes: number
  /** The last ready instance's start, from the process's start to its ready line. */
  readonly lastStartMs?: number
}

interface Running {
  readonly instance: Instance
  readonly startedAt: number
  /** A lost one does not listen any more, though its process has not ended yet. */
  phase: 'starting' | 'ready' | 'lost' | 'draining'
  url: string
  inFlight: number
}

const MAX_TICK_MS = 2000

/**
 * The instances of one version of a service: none while nobody asks, started by the first request, which is held until one is
 * ready; more or fewer by the {@link Autoscaler}; restarted with a back-off when they crash.
 */
export class Revision implements AsyncDisposable {
  readonly name: string
  readonly #options: RevisionOptions
  readonly #now: () => number
  readonly #autoscaler: Autoscaler
  readonly #backoff = new CrashBackoff()
  readonly #running = new Set<Running>()
  readonly #waiting = new WaitingRequests()
  #lastStartMs: number | undefined
  #retry: NodeJS.Timeout | undefined
  #tick: NodeJS.Timeout | undefined
  #stopped: Promise<void> | undefined

  constructor(options: RevisionOptions) {
    this.name = options.name
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    const windowMs = options.scaling.windowMs ?? options.limits.idleMs
    this.#autoscaler = new Autoscaler({
      scaling: options.scaling,
      windowMs,
      maxInstances: options.limits.maxInstances,
      now: this.#now,
    })
    if (options.scaling.minScale > 0) this.#scale()
  }

  get state(): RevisionState {
    const all = [...this.#running]
    return {
      ready: all.filter(({ phase }) => phase === 'ready').length,
      starting: all.filter(({ phase }) => phase === 'starting').length,
      inFlight: all.reduce((sum, { inFlight }) => sum + inFlight, 0),
      waiting: this.#waiting.size,
      crashes: this.#backoff.failures,
      ...(this.#lastStartMs !== undefined && { lastStartMs: this.#lastStartMs }),
    }
  }

  /**
   * Takes an instance for one request, starting one and waiting for it when there is none.
   *
   * @throws {UnavailableError} when too many wait already or none is ready in time
   * @throws {RevisionStoppedError} when this revision is being stopped
   */
  async acquire(signal: AbortSignal): Promise<Lease> {
    signal.throwIfAborted()
    if (this.#stopped !== undefined) throw new RevisionStoppedError(`revision ${this.name} is stopped`)
    const idlest = this.#idlest()
    if (idlest === undefined && this.#waiting.size >= this.#options.limits.queueSize) {
      throw new UnavailableError(`${this.#waiting.size} requests wait for ${this.name} already`, {
        retryAfterSeconds: 1,
      })
    }
    this.#autoscaler.requestStarted()
    if (idlest !== undefined) return this.#lease(idlest)
    try {
      return await this.#wait(signal)
    } catch (error) {
      this.#autoscaler.requestEnded()
      throw error
    }
  }

  /** Stops all instances once their requests are over. Requests that wait are told to go elsewhere. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#stopped ??= this.#stopAll()
    return this.#stopped
  }

  async #stopAll(): Promise<void> {
    clearTimeout(this.#tick)
    clearTimeout(this.#retry)
    this.#waiting.rejectAll(new RevisionStoppedError(`revision ${this.name} is stopped`))
    const deadline = setTimeout(() => {
      for (const running of this.#running) this.#end(running)
    }, this.#options.limits.stopGraceMs)
    await Promise.all([...this.#running].map((running) => this.#retire(running)))
    clearTimeout(deadline)
  }

  #idlest(): Running | undefined {
    let best: Running | undefined
    for (const running of this.#running) {
      if (running.phase === 'ready' && (best === undefined || running.inFlight < best.inFlight)) best = running
    }
    return best
  }

  #lease(running: Running): Lease {
    running.inFlight += 1
    let isHeld = true
    return {
      url: running.url,
      release: () => {
        if (!isHeld) return
        isHeld = false
        running.inFlight -= 1
        this.#autoscaler.requestEnded()
        if (running.phase === 'draining' && running.inFlight === 0) this.#end(running)
      },
      discard: () => {
        if (running.phase !== 'ready') return
        running.phase = 'lost'
        this.#end(running)
      },
    }
  }

  #wait(signal: AbortSignal): Promise<Lease> {
    const { startTimeoutMs } = this.#options.limits
    const lease = this.#waiting.wait(signal, startTimeoutMs, () => {
      const seconds = Math.ceil(Math.max(this.#backoff.remaining(this.#now()), 1000) / 1000)
      const message = `no instance of ${this.name} was ready within ${startTimeoutMs} ms`
      return new UnavailableError(message, { retryAfterSeconds: seconds })
    })
    this.#scale()
    return lease
  }

  /** Brings the number of instances to what the autoscaler wants, now and every tick while there is anything to decide. */
  #scale(): void {
    if (this.#stopped !== undefined) return
    const current = [...this.#running].filter(({ phase }) => phase !== 'draining')
    const desired = this.#autoscaler.desired(current.length)
    for (let count = current.length; count < desired; count += 1) if (!this.#start()) break
    const idlestFirst = current.toSorted((a, b) => a.inFlight - b.inFlight)
    for (const running of idlestFirst.slice(0, Math.max(0, current.length - desired))) void this.#retire(running)
    this.#tick ??= setTimeout(() => {
      this.#tick = undefined
      if (this.#running.size > 0 || this.#waiting.size > 0 || desired > 0) this.#scale()
    }, this.#tickMs())
  }

  #tickMs(): number {
    const { scaling, limits } = this.#options
    return Math.min(MAX_TICK_MS, Math.max(20, (scaling.windowMs ?? limits.idleMs) / 10))
  }

  /** False when a crash is too recent; it is tried again when the back-off is over. */
  #start(): boolean {
    const delay = this.#backoff.remaining(this.#now())
    if (delay > 0) {
      this.#retry ??= setTimeout(() => {
        this.#retry = undefined
        this.#scale()
      }, delay)
      return false
    }
    const instance = this.#options.start()
    const running: Running = { instance, startedAt: this.#now(), phase: 'starting', url: '', inFlight: 0 }
    this.#running.add(running)
    this.#options.onChange?.()
    instance.ready.then(
      ({ url }) => this.#becameReady(running, url),
      () => {
        // `exited` tells.
      },
    )
    instance.exited.then((exit) => this.#ended(running, exit))
    const timer = setTimeout(() => {
      if (running.phase === 'starting') void instance.stop(0)
    }, this.#options.limits.startTimeoutMs)
    Promise.allSettled([instance.ready]).then(() => clearTimeout(timer))
    return true
  }

  #becameReady(running: Running, url: string): void {
    if (running.phase !== 'starting') return
    running.phase = 'ready'
    running.url = url
    this.#lastStartMs = Math.round(this.#now() - running.startedAt)
    this.#options.onChange?.()
    this.#options.log.info(
      { revision: this.name, pid: running.instance.pid, startMs: this.#lastStartMs, waiting: this.#waiting.size },
      'sink instance running',
    )
    this.#waiting.serve(() => {
      const idlest = this.#idlest()
      return idlest && this.#lease(idlest)
    })
  }

  #ended(running: Running, exit: { code: number | null; signal: string | null }): void {
    this.#running.delete(running)
    this.#options.onChange?.()
    const fields = { revision: this.name, pid: running.instance.pid, ...exit, instances: this.#running.size }
    if (running.phase === 'draining') {
      this.#options.log.info(fields, 'sink instance stopped')
      return
    }
    const now = this.#now()
    this.#backoff.ended({ livedMs: running.phase === 'starting' ? 0 : now - running.startedAt, now })
    this.#options.log.warn({ ...fields, crashes: this.#backoff.failures }, 'sink instance crashed')
    this.#scale()
  }

  /** No new requests; stopped when those in flight are over. */
  async #retire(running: Running): Promise<void> {
    running.phase = 'draining'
    this.#options.onChange?.()
    if (running.inFlight === 0) this.#end(running)
    await running.instance.exited
  }

  #end(running: Running): void {
    void running.instance.stop(this.#options.limits.stopGraceMs)
  }
}
