import type { Log } from '@taproom/core/lines'
import { atMost } from '@taproom/core/time'
import { describeEnding, type Ending } from '@taproom/processes'
import { CrashBackoff, HEALTHY_AFTER_MS, type Slot } from './crash-backoff.ts'
import { type Instance, instanceUrl } from './instance.ts'

export interface Lease {
  /** The instance's root. */
  readonly url: URL
  /** When the instance began to start and when it was ready, on the clock of the pool. */
  readonly start: { readonly startedAt: number; readonly readyAt: number }
  /** The request is over; idempotent. */
  release(): void
  /** The request was answered: the app can run. */
  succeeded(): void
  /** Resolves when the instance has ended, or after `withinMs`. */
  ended(withinMs: number): Promise<void>
  /** Nothing listens there any more: the instance gets no further requests and is replaced. */
  discard(): void
}

/** Times are milliseconds. */
export interface InstancePoolOptions {
  /** Of the revision. */
  readonly name: string
  /** `namespace/name` of its service. */
  readonly sink: string
  readonly start: () => Instance
  /** An instance that takes longer to be ready is stopped. */
  readonly startTimeoutMs: number
  /** Time for an instance to end after SIGTERM. */
  readonly stopGraceMs: number
  /** Most requests of an instance at a time; 0 is no limit. */
  readonly concurrency: number
  readonly log: Pick<Log, 'info' | 'warn'>
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
  /** Called when an instance started, became ready or ended. */
  readonly onChange: () => void
  /** Called when there is room for waiting requests. */
  readonly onRoom: () => void
  /** Called when a lease's request is over. */
  readonly onReleased: () => void
  /** Called when an instance ended unexpectedly. */
  readonly onCrash: () => void
}

interface Running {
  readonly instance: Instance
  readonly startedAt: number
  /** `lost`: no longer listening, but not ended yet. */
  phase: 'starting' | 'ready' | 'lost' | 'draining'
  /** Set once ready. */
  url?: URL
  readyAt: number
  inFlight: number
  slot: Slot
  hasSucceeded: boolean
  /** It was not ready in time, and so it was ended. */
  isLate: boolean
}

/** The instances of one revision: started, leased to requests, and stopped when their requests are over. */
export class InstancePool {
  readonly #options: InstancePoolOptions
  readonly #backoff = new CrashBackoff()
  readonly #running = new Set<Running>()
  #lastStartMs: number | undefined
  #lastCrash: string | undefined

  constructor(options: InstancePoolOptions) {
    this.#options = options
  }

  /**
   * `inFlight`: requests with an instance. `crashes`: failed starts and crashes in a row; while there are any, `lastCrash` says how the last
   * one ended, and `nextStartMs` when the next start is allowed. `lastStartMs`: the last start-up time.
   */
  get state() {
    const all = [...this.#running]
    const { failures } = this.#backoff
    const [lastCrash, nextStartMs] = [this.#lastCrash, Math.ceil(this.startDelayMs)]
    return {
      ready: all.filter(({ phase }) => phase === 'ready').length,
      starting: all.filter(({ phase }) => phase === 'starting').length,
      inFlight: all.reduce((sum, { inFlight }) => sum + inFlight, 0),
      crashes: failures,
      ...(failures > 0 && lastCrash !== undefined && { lastCrash, nextStartMs }),
      ...(this.#lastStartMs !== undefined && { lastStartMs: this.#lastStartMs }),
    }
  }

  /** Without those that are ending. */
  get size(): number {
    return this.#staying().length
  }

  /** Counts ending processes too. */
  get isEmpty(): boolean {
    return this.#running.size === 0
  }

  /** Milliseconds until another instance may be started. */
  get startDelayMs(): number {
    return this.#backoff.remaining(this.#options.now())
  }

  add(): void {
    const { start, startTimeoutMs, now, onChange } = this.#options
    const instance = start()
    const running: Running = {
      ...{ instance, startedAt: now(), phase: 'starting', readyAt: Number.NaN, inFlight: 0 },
      ...{ slot: this.#backoff.take(), hasSucceeded: false, isLate: false },
    }
    this.#running.add(running)
    onChange()
    const timer = setTimeout(() => {
      if (running.phase !== 'starting') return
      running.isLate = true
      void instance.stop(0)
    }, startTimeoutMs)
    // `#ended` handles one that ends before it is ready.
    const started = instance.ready.then(
      ({ port }) => this.#becameReady(running, instanceUrl(port)),
      () => undefined,
    )
    void started.finally(() => clearTimeout(timer))
    instance.ended.then((ending) => this.#ended(running, ending))
  }

  /** Stops surplus instances, the idlest first. */
  shrinkTo(size: number): void {
    const idlestFirst = this.#staying().sort((a, b) => a.inFlight - b.inFlight)
    for (const running of idlestFirst.slice(0, Math.max(0, idlestFirst.length - size))) void this.#retire(running)
  }

  /** Leases the instance with the fewest requests; undefined when none is ready or has room. */
  lease(): Lease | undefined {
    const most = this.#options.concurrency || Number.POSITIVE_INFINITY
    let idlest: Running | undefined
    for (const running of this.#running) {
      if (running.phase !== 'ready' || running.inFlight >= most) continue
      if (idlest === undefined || running.inFlight < idlest.inFlight) idlest = running
    }
    return idlest?.url && this.#lease(idlest, idlest.url)
  }

  /** Stops all instances once their requests are over, or by force after the grace. */
  async close(): Promise<void> {
    const deadline = setTimeout(() => {
      for (const running of this.#running) this.#end(running)
    }, this.#options.stopGraceMs)
    await Promise.all([...this.#running].map((running) => this.#retire(running)))
    clearTimeout(deadline)
  }

  #staying(): Running[] {
    return [...this.#running].filter(({ phase }) => phase !== 'draining')
  }

  #lease(running: Running, url: URL): Lease {
    running.inFlight += 1
    let isHeld = true
    return {
      url,
      start: running,
      release: () => {
        if (!isHeld) return
        isHeld = false
        running.inFlight -= 1
        this.#options.onReleased()
        if (running.phase === 'draining' && running.inFlight === 0) this.#end(running)
        else if (this.#options.concurrency > 0) this.#options.onRoom()
      },
      succeeded: () => this.#succeeded(running),
      ended: async (withinMs) => void (await atMost(running.instance.ended, withinMs)),
      discard: () => {
        if (running.phase !== 'ready') return
        running.phase = 'lost'
        this.#end(running)
      },
    }
  }

  /** Only an instance's first success resets crash counts. */
  #succeeded(running: Running): void {
    if (running.hasSucceeded) return
    running.hasSucceeded = true
    const { failures } = this.#backoff
    running.slot = this.#backoff.succeeded(running.slot)
    if (failures > 0) this.#options.onChange()
  }

  #becameReady(running: Running, url: URL): void {
    if (running.phase !== 'starting') return
    const { name, sink, now, log, onChange, onRoom } = this.#options
    running.phase = 'ready'
    running.url = url
    running.readyAt = now()
    this.#lastStartMs = Math.round(running.readyAt - running.startedAt)
    onChange()
    log.info({ sink, revision: name, pid: running.instance.pid, startMs: this.#lastStartMs }, 'sink instance running')
    onRoom()
  }

  #ended(running: Running, ending: Ending): void {
    const { name, sink, now, log, onChange, onCrash, startTimeoutMs } = this.#options
    const { code, signal, reason } = ending
    this.#running.delete(running)
    const fields = { sink, revision: name, pid: running.instance.pid, code, signal, instances: this.#running.size }
    if (running.phase === 'draining') {
      // An instance that was ready and could be stopped has worked.
      if (running.url !== undefined) this.#succeeded(running)
      this.#backoff.stopped(running.slot)
      log.info(fields, 'sink instance stopped')
      onChange()
      return
    }
    if (running.url !== undefined && now() - running.startedAt >= HEALTHY_AFTER_MS) this.#succeeded(running)
    this.#backoff.failed(running.slot, now())
    const late = `it was not ready within ${startTimeoutMs} ms`
    this.#lastCrash = running.isLate ? late : (reason ?? `it ${describeEnding(ending)}`)
    log.warn(
      { ...fields, ...(reason !== undefined && { reason }), crashes: this.#backoff.failures },
      'sink instance crashed',
    )
    onChange()
    onCrash()
  }

  /** No new requests; stops when those in flight are over. */
  async #retire(running: Running): Promise<void> {
    running.phase = 'draining'
    this.#options.onChange()
    if (running.inFlight === 0) this.#end(running)
    await running.instance.ended
  }

  #end(running: Running): void {
    void running.instance.stop(this.#options.stopGraceMs)
  }
}
