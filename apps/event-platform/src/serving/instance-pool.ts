import { atMost } from '@taproom/time'
import type { PlatformLog } from '../log.ts'
import { CrashBackoff, HEALTHY_AFTER_MS, type Place } from './crash-backoff.ts'
import type { Instance } from './instance.ts'

/** The right to send one request to an instance. */
export interface Lease {
  /** The root of the instance's own address. */
  readonly url: URL
  /** Says that the request is over; calling it again changes nothing. */
  release(): void
  /** Says that the request was answered: whatever crashed before, the app can run. */
  succeeded(): void
  /** Resolves when the instance has ended, after so many milliseconds at the latest. */
  ended(withinMs: number): Promise<void>
  /** Says that nothing listens there any more: the instance gets no further requests and is replaced. */
  discard(): void
}

/** What is logged of instances. */
export type ServingLog = Pick<PlatformLog, 'info' | 'warn'>

/** How a pool is set up; times are milliseconds. */
export interface InstancePoolOptions {
  /** The revision, for logs. */
  readonly name: string
  /** Starts one more instance. */
  readonly start: () => Instance
  /** An instance that is not ready after this is given up. */
  readonly startTimeoutMs: number
  /** Time an instance gets to end after SIGTERM. */
  readonly stopGraceMs: number
  /** Requests one instance gets at a time at most; 0 is no limit. */
  readonly concurrency: number
  readonly log: ServingLog
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
  /** Called when an instance came, became ready or went. */
  readonly onChange: () => void
  /** Called when there is room for requests that had none. */
  readonly onRoom: () => void
  /** Called when a lease's request is over. */
  readonly onReleased: () => void
  /** Called when an instance ended that should not have. */
  readonly onCrash: () => void
}

interface Running {
  readonly instance: Instance
  readonly startedAt: number
  /** A lost one does not listen any more, though its process has not ended yet. */
  phase: 'starting' | 'ready' | 'lost' | 'draining'
  /** There once it is ready. */
  url?: URL
  inFlight: number
  place: Place
  hasSucceeded: boolean
}

/** The instances of one revision: each started, leased to requests, and stopped once its requests are over. */
export class InstancePool {
  readonly #options: InstancePoolOptions
  readonly #backoff = new CrashBackoff()
  readonly #running = new Set<Running>()
  #lastStartMs: number | undefined

  constructor(options: InstancePoolOptions) {
    this.#options = options
  }

  get state() {
    const all = [...this.#running]
    return {
      ready: all.filter(({ phase }) => phase === 'ready').length,
      starting: all.filter(({ phase }) => phase === 'starting').length,
      inFlight: all.reduce((sum, { inFlight }) => sum + inFlight, 0),
      crashes: this.#backoff.failures,
      ...(this.#lastStartMs !== undefined && { lastStartMs: this.#lastStartMs }),
    }
  }

  /** Instances there are, those that are ending aside. */
  get size(): number {
    return this.#staying().length
  }

  /** True when no process is left, ending ones included. */
  get isEmpty(): boolean {
    return this.#running.size === 0
  }

  /** Milliseconds until another instance may be started: crashes are backed off. */
  get startDelayMs(): number {
    return this.#backoff.remaining(this.#options.now())
  }

  /** Starts one more instance. */
  add(): void {
    const { start, startTimeoutMs, now, onChange } = this.#options
    const instance = start()
    const running: Running = {
      ...{ instance, startedAt: now(), phase: 'starting', inFlight: 0 },
      ...{ place: this.#backoff.take(), hasSucceeded: false },
    }
    this.#running.add(running)
    onChange()
    instance.ready.then(
      ({ url }) => this.#becameReady(running, new URL(url)),
      () => {
        // Handled when the instance has ended: see `#ended`.
      },
    )
    instance.exited.then((exit) => this.#ended(running, exit))
    const timer = setTimeout(() => {
      if (running.phase === 'starting') void instance.stop(0)
    }, startTimeoutMs)
    Promise.allSettled([instance.ready]).then(() => clearTimeout(timer))
  }

  /** Stops instances beyond this number, the idlest first. */
  shrinkTo(size: number): void {
    const idlestFirst = this.#staying().sort((a, b) => a.inFlight - b.inFlight)
    for (const running of idlestFirst.slice(0, Math.max(0, idlestFirst.length - size))) void this.#retire(running)
  }

  /** The instance with the fewest requests, for one more; undefined when none is ready or all have as many as they take. */
  lease(): Lease | undefined {
    const most = this.#options.concurrency || Number.POSITIVE_INFINITY
    let idlest: Running | undefined
    for (const running of this.#running) {
      if (running.phase !== 'ready' || running.inFlight >= most) continue
      if (idlest === undefined || running.inFlight < idlest.inFlight) idlest = running
    }
    return idlest?.url && this.#lease(idlest, idlest.url)
  }

  /** Stops all instances once their requests are over, and by force when they take longer than the grace. */
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
      release: () => {
        if (!isHeld) return
        isHeld = false
        running.inFlight -= 1
        this.#options.onReleased()
        if (running.phase === 'draining' && running.inFlight === 0) this.#end(running)
        else if (this.#options.concurrency > 0) this.#options.onRoom()
      },
      succeeded: () => this.#succeeded(running),
      ended: async (withinMs) => void (await atMost(running.instance.exited, withinMs)),
      discard: () => {
        if (running.phase !== 'ready') return
        running.phase = 'lost'
        this.#end(running)
      },
    }
  }

  /** Only the first success of an instance says anything of others that crashed. */
  #succeeded(running: Running): void {
    if (running.hasSucceeded) return
    running.hasSucceeded = true
    const { failures } = this.#backoff
    running.place = this.#backoff.succeeded(running.place)
    if (failures > 0) this.#options.onChange()
  }

  #becameReady(running: Running, url: URL): void {
    if (running.phase !== 'starting') return
    const { name, now, log, onChange, onRoom } = this.#options
    running.phase = 'ready'
    running.url = url
    this.#lastStartMs = Math.round(now() - running.startedAt)
    onChange()
    log.info({ revision: name, pid: running.instance.pid, startMs: this.#lastStartMs }, 'sink instance running')
    onRoom()
  }

  #ended(running: Running, exit: { code: number | null; signal: string | null }): void {
    const { name, now, log, onChange, onCrash } = this.#options
    this.#running.delete(running)
    const fields = { revision: name, pid: running.instance.pid, ...exit, instances: this.#running.size }
    if (running.phase === 'draining') {
      // One that was ready and could be stopped in order has worked.
      if (running.url !== undefined) this.#succeeded(running)
      this.#backoff.left(running.place)
      log.info(fields, 'sink instance stopped')
      onChange()
      return
    }
    if (running.url !== undefined && now() - running.startedAt >= HEALTHY_AFTER_MS) this.#succeeded(running)
    this.#backoff.failed(running.place, now())
    log.warn({ ...fields, crashes: this.#backoff.failures }, 'sink instance crashed')
    onChange()
    onCrash()
  }

  /** No new requests; stopped when those in flight are over. */
  async #retire(running: Running): Promise<void> {
    running.phase = 'draining'
    this.#options.onChange()
    if (running.inFlight === 0) this.#end(running)
    await running.instance.exited
  }

  #end(running: Running): void {
    void running.instance.stop(this.#options.stopGraceMs)
  }
}
