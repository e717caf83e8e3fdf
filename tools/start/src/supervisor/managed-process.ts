import { reasonOf } from '@taproom/core/lines'
import { atMost } from '@taproom/core/time'
import { ENDED } from '../output/log-messages.ts'
import { ownLine } from '../output/service-line.ts'
import { Crashes } from './crashes.ts'
import type { GateOrder, KeptSources } from './gate.ts'
import { Launch } from './launch.ts'
import type { ProcessOptions } from './process-options.ts'
import type { ProcessStatus } from './process-status.ts'

type State =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'starting' | 'ready' | 'restarting' | 'stopping'; readonly launch: Launch }
  | { readonly kind: 'waiting'; readonly timer: NodeJS.Timeout }

const STOP_MS = 4000
const ANSWERED_MS = 2000
const READINESS_MS = 5000
const REPLACE_MS = 15_000

/**
 * One child process: started, watched until its ready line, started again with a back-off when it crashes, replaced when its sources
 * changed, stopped on request. One that ends before it was ever ready is not started again.
 */
export class ManagedProcess {
  readonly name: string
  readonly #options: ProcessOptions
  readonly #crashes = new Crashes()
  #state: State = { kind: 'stopped' }
  #port: number | undefined
  #timesReady = 0
  /** What runs in place of the sources on the disk, which could not be started. */
  #kept: KeptSources | undefined
  #up = Promise.withResolvers<void>()
  #restart: PromiseWithResolvers<void> | undefined

  constructor(options: ProcessOptions) {
    this.name = options.name
    this.#options = options
  }

  get status(): ProcessStatus {
    const launch = 'launch' in this.#state ? this.#state.launch : undefined
    const [name, pid, controlPort] = [this.name, launch?.child.pid, launch?.controlPort]
    const startedAt = this.startedAt === undefined ? undefined : Math.round(this.startedAt)
    const restarts = Math.max(0, this.#timesReady - 1)
    const [state, port] = [this.#state.kind, this.#port]
    return { name, state, pid, port, controlPort, ...this.#crashes.shown, restarts, startedAt }
  }

  /** Resolves when one process has taken the place of another; undefined while none does. */
  get restart(): Promise<void> | undefined {
    return this.#restart?.promise
  }

  /** When the process that runs was started, in ms since 1970. */
  get startedAt(): number | undefined {
    return 'launch' in this.#state ? performance.timeOrigin + this.#state.launch.startedAt : undefined
  }

  /**
   * Starts it unless it runs already; resolves when it is ready.
   *
   * @throws {ServiceExitError} when it ends before it is ready
   */
  async start(): Promise<void> {
    if (this.#state.kind === 'stopping') await this.#state.launch.ended
    if (this.#state.kind === 'waiting') clearTimeout(this.#state.timer)
    if (this.#state.kind === 'stopped' || this.#state.kind === 'waiting') this.#spawn('starting')
    await this.#up.promise
  }

  /** Ends it with SIGTERM, after `graceMs` with SIGKILL; resolves when it is gone. */
  async stop(graceMs = STOP_MS): Promise<void> {
    const state = this.#state
    this.#kept = undefined
    if (state.kind === 'waiting') clearTimeout(state.timer)
    if (!('launch' in state)) {
      this.#enter({ kind: 'stopped' })
      return
    }
    if (state.kind !== 'stopping') this.#enter({ kind: 'stopping', launch: state.launch })
    await state.launch.child.stop(graceMs)
    await state.launch.ended
  }

  /** Ends it and all processes it started at once. */
  kill(): void {
    const state = this.#state
    if (state.kind === 'waiting') clearTimeout(state.timer)
    this.#enter('launch' in state ? { kind: 'stopping', launch: state.launch } : { kind: 'stopped' })
    if ('launch' in state) void state.launch.child.kill()
  }

  /** Ends what runs at once, as a crash would: it is started again. False when nothing runs. */
  async killOnce(): Promise<boolean> {
    const state = this.#state
    if (state.kind !== 'ready') return false
    await state.launch.child.kill()
    return true
  }

  /**
   * Has another process with the sources `sources` take its place, on the same port. The other one is loaded first; what fails there,
   * its configuration included, leaves the running one as it is. Then that one is stopped, and the other one runs. When that ends
   * before it is ready, a third one runs `before`, the sources as they were. One that waits after a crash is started at once; one that does
   * not run stays so.
   *
   * @throws {ServiceExitError} when `sources` could not be started
   */
  async replace(sources: KeptSources, before: KeptSources): Promise<void> {
    if (this.#state.kind === 'starting') await this.#up.promise.catch(ignore)
    const running = this.#state
    if (running.kind === 'waiting') {
      this.#kept = undefined
      return await this.start()
    }
    if (running.kind !== 'ready') return
    const { spare, main } = this.#options
    using _replacing = spare?.replacing()
    const next = (await spare?.load(this.name, this.#order(sources))) ?? this.#launch(sources)
    try {
      await next.load(this.#order(sources))
      if (this.#state !== running) return
      this.#kept = undefined
      await this.#exchange(running.launch, next, before)
    } catch (error) {
      if (this.#state.kind === 'stopping' || this.#state.kind === 'stopped') return
      this.#kept ??= before
      throw error
    } finally {
      if (!('launch' in this.#state && this.#state.launch === next)) void next.child.kill()
      if (this.status.state === 'ready') spare?.keep({ launch: () => this.#launch(sources), main, sources })
    }
  }

  async #exchange(old: Launch, next: Launch, before: KeptSources): Promise<void> {
    this.#restart = Promise.withResolvers()
    const leaving: State = { kind: 'restarting', launch: old }
    this.#enter(leaving)
    try {
      if (this.#options.answered) await atMost(this.#options.answered(), ANSWERED_MS)
      if (this.#state !== leaving) return
      await old.child.stop(STOP_MS)
      if (this.#state !== leaving) return
      await this.#run(next)
    } catch (error) {
      if (this.#state.kind === 'restarting') await this.#goBack(before)
      throw error
    } finally {
      this.#restart.resolve()
      this.#restart = undefined
    }
  }

  async #goBack(before: KeptSources): Promise<void> {
    const again = this.#launch(before)
    this.#kept = before
    this.#enter({ kind: 'restarting', launch: again })
    try {
      await again.load(this.#order(before))
      if (this.#state.kind === 'restarting') await this.#run(again)
    } catch (error) {
      if (this.#state.kind === 'restarting') this.#restartLater(`could not be started again: ${reasonOf(error)}`, 0)
    }
  }

  /** Lets a loaded process run. @throws {ServiceExitError} when it is not ready in time */
  async #run(launch: Launch): Promise<void> {
    const { replaceMs = REPLACE_MS } = this.#options
    const restarting: State = { kind: 'restarting', launch }
    this.#enter(restarting)
    await launch.go()
    const late = setTimeout(() => void launch.child.kill(), replaceMs)
    try {
      const port = await launch.ready
      if (this.#state !== restarting) return
      this.#becomeReady(launch, port)
      if (this.#options.readinessUp) await atMost(this.#options.readinessUp(), READINESS_MS)
    } finally {
      clearTimeout(late)
    }
  }

  #spawn(kind: 'starting'): void {
    this.#up = Promise.withResolvers<void>()
    // `start` gives this promise to its caller. A restart after a crash has no caller, and its rejection must not end this process.
    this.#up.promise.catch(() => {})
    const launch = this.#launch(this.#kept)
    // It ends if it cannot be loaded, and that is heard of.
    if (this.#kept !== undefined) void launch.load(this.#order(this.#kept)).then(() => launch.go(), ignore)
    this.#enter({ kind, launch })
  }

  #order(sources: KeptSources): GateOrder {
    return { sources, config: this.#options.config }
  }

  /** With sources, it waits at the gate. */
  #launch(kept: KeptSources | undefined): Launch {
    const { cwd, env, port, onLine, inspectPort, sourcePlaces } = this.#options
    // A debugger is to show the sources.
    const isBundled = kept === undefined && inspectPort === undefined
    const main = (isBundled ? this.#options.bundle?.() : undefined) ?? this.#options.main
    const launch = new Launch({
      name: this.name,
      ...{ main, cwd, onLine, inspectPort, sourcePlaces },
      env: env(this.#port ?? port),
      isHeld: kept !== undefined,
    })
    launch.ready.then((ready) => {
      if (this.#state.kind === 'starting' && this.#state.launch === launch) this.#becomeReady(launch, ready)
    }, ignore)
    void launch.ended.then((ending) => this.#ended(launch, ending))
    return launch
  }

  #becomeReady(launch: Launch, port: number | undefined): void {
    this.#port = port ?? this.#port
    this.#timesReady += 1
    this.#enter({ kind: 'ready', launch })
    this.#up.resolve()
  }

  #ended(launch: Launch, ending: string): void {
    const state = this.#state
    if (!('launch' in state) || state.launch !== launch || state.kind === 'restarting') return
    if (state.kind !== 'stopping' && this.#timesReady > 0) {
      launch.release()
      this.#restartLater(ending, performance.now() - launch.startedAt)
    } else this.#enter({ kind: 'stopped' })
    launch.ready.catch((error: unknown) => this.#up.reject(error))
  }

  #restartLater(ending: string, upMs: number): void {
    const waitMs = this.#crashes.add(upMs, this.#options.healthyMs)
    const timer = setTimeout(() => this.#spawn('starting'), waitMs)
    this.#options.onLine(ownLine(this.name, 'warn', ENDED, { ending, waitMs }))
    this.#enter({ kind: 'waiting', timer })
  }

  #enter(state: State): void {
    this.#state = state
    this.#options.onChange?.(this.status)
  }
}

function ignore(): void {
  // Heard of elsewhere.
}
