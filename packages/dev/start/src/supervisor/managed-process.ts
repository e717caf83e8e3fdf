import { describeEnding, endingWithParent, type NodeProcess, startNode } from '@taproom/processes'
import { createBackOff } from '@taproom/time'
import { MAX_LINE_LENGTH, ownLine, parseServiceLine, type ServiceLine } from '../output/service-line.ts'
import { ServiceExitError } from './start-error.ts'

export interface ProcessOptions {
  readonly name: string
  readonly main: string
  readonly cwd: string
  /** 0 is any free port; a restarted process gets the port that it had before. */
  readonly port: number
  /** The child's whole environment, given the port to listen on. */
  env(port: number): Readonly<Record<string, string | undefined>>
  onLine(line: ServiceLine): void
  onChange?(status: ProcessStatus): void
  /** After a crash that comes later than this, the back-off starts over with its first wait. Default 10 000 ms. */
  readonly healthyMs?: number
}

/** A process as people see it. */
export interface ProcessStatus {
  readonly name: string
  /** `waiting`: crashed, to be started again after its back-off. */
  readonly state: 'stopped' | 'starting' | 'ready' | 'waiting' | 'stopping'
  readonly pid: number | undefined
  /** Known once it has been ready. */
  readonly port: number | undefined
  /** How often it ended by itself after it had been ready. */
  readonly crashes: number
}

/** Its state as people see it. */
export type ShownState = ProcessStatus['state'] | 'not ready'

/** A process that runs is shown as `not ready` while its name is among the checks that are DOWN. */
export function shownState(
  { name, state }: Pick<ProcessStatus, 'name' | 'state'>,
  down: readonly string[],
): ShownState {
  return state === 'ready' && down.includes(name) ? 'not ready' : state
}

type State =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'starting' | 'ready'; readonly child: NodeProcess; readonly startedAt: number }
  | { readonly kind: 'stopping'; readonly child: NodeProcess }
  | { readonly kind: 'waiting'; readonly timer: NodeJS.Timeout }

const HEALTHY_MS = 10_000

/** How long a child may take to stop in order when this process is gone, in milliseconds. */
const ORPHAN_GRACE_MS = 3000

/** Lines on stderr that are held back until a process is ready: if it ends before, they say why. */
const MAX_HELD_LINES = 40

/**
 * One child process: started, watched until its ready line, started again with a back-off when it crashes, stopped on request. One that
 * ends before it was ever ready is not started again.
 */
export class ManagedProcess {
  readonly name: string
  readonly #options: ProcessOptions
  readonly #backOff = createBackOff({ firstMs: 100, longestMs: 5000 })
  #state: State = { kind: 'stopped' }
  #port: number | undefined
  #crashes = 0
  #hasBeenReady = false
  #held: ServiceLine[] = []
  #launch = Promise.withResolvers<void>()
  #gone = Promise.withResolvers<void>()

  constructor(options: ProcessOptions) {
    this.name = options.name
    this.#options = options
  }

  get status(): ProcessStatus {
    const pid = 'child' in this.#state ? this.#state.child.pid : undefined
    return { name: this.name, state: this.#state.kind, pid, port: this.#port, crashes: this.#crashes }
  }

  /**
   * Starts it unless it runs already; resolves when it is ready.
   *
   * @throws {ServiceExitError} when it ends before it is ready
   */
  async start(): Promise<void> {
    if (this.#state.kind === 'stopping') await this.#gone.promise
    if (this.#state.kind === 'waiting') clearTimeout(this.#state.timer)
    if (this.#state.kind === 'stopped' || this.#state.kind === 'waiting') this.#spawn()
    await this.#launch.promise
  }

  /** Ends it with SIGTERM, after `graceMs` with SIGKILL; resolves when it is gone. */
  async stop(graceMs = 4000): Promise<void> {
    const state = this.#state
    if (state.kind === 'waiting') clearTimeout(state.timer)
    if (!('child' in state)) {
      this.#enter({ kind: 'stopped' })
      return
    }
    if (state.kind !== 'stopping') this.#enter({ kind: 'stopping', child: state.child })
    await state.child.stop(graceMs)
    await this.#gone.promise
  }

  /** Ends it and all processes it started at once. */
  kill(): void {
    const state = this.#state
    if (state.kind === 'waiting') clearTimeout(state.timer)
    this.#enter('child' in state ? { kind: 'stopping', child: state.child } : { kind: 'stopped' })
    if ('child' in state) void state.child.kill()
  }

  #spawn(): void {
    const { main, cwd, env, port } = this.#options
    this.#gone = Promise.withResolvers<void>()
    this.#launch = Promise.withResolvers<void>()
    // `start` gives this promise to its caller. A restart after a crash has no caller, and its rejection must not end this process.
    this.#launch.promise.catch(() => {})
    const child: NodeProcess = startNode({
      args: endingWithParent(main, { graceMs: ORPHAN_GRACE_MS }),
      cwd,
      env: env(this.#port ?? port),
      lines: { maxLength: MAX_LINE_LENGTH },
      onLine: (text, source) => this.#read(child, source, parseServiceLine(this.name, source, text)),
    })
    void child.ended.then((ending) => this.#ended(describeEnding(ending)))
    this.#enter({ kind: 'starting', child, startedAt: performance.now() })
  }

  #read(child: NodeProcess, source: 'stdout' | 'stderr', line: ServiceLine): void {
    const state = this.#state
    if (state.kind !== 'starting' || state.child !== child) {
      this.#options.onLine(line)
    } else if (source === 'stderr') {
      this.#held.push(line)
      if (this.#held.length > MAX_HELD_LINES) this.#release(1)
    } else {
      this.#options.onLine(line)
      if (line.fields['msg'] === `${this.name} ready`) this.#ready(state, line.fields['port'])
    }
  }

  #ready(state: State & { kind: 'starting' | 'ready' }, port: unknown): void {
    if (typeof port === 'number') this.#port = port
    this.#hasBeenReady = true
    this.#enter({ ...state, kind: 'ready' })
    this.#release()
    this.#launch.resolve()
  }

  #ended(ending: string): void {
    const state = this.#state
    const error = new ServiceExitError(this.name, ending, this.#held)
    const isToRestart = state.kind !== 'stopping' && this.#hasBeenReady
    if (isToRestart) this.#release()
    this.#held = []
    if (isToRestart) this.#restartLater(ending, 'startedAt' in state ? performance.now() - state.startedAt : 0)
    else this.#enter({ kind: 'stopped' })
    this.#launch.reject(error)
    this.#gone.resolve()
  }

  #restartLater(ending: string, upMs: number): void {
    if (upMs >= (this.#options.healthyMs ?? HEALTHY_MS)) this.#backOff.reset()
    const waitMs = this.#backOff.next()
    this.#crashes += 1
    const timer = setTimeout(() => this.#spawn(), waitMs)
    this.#options.onLine(ownLine(this.name, 'warn', 'ended, to be started again', { ending, waitMs }))
    this.#enter({ kind: 'waiting', timer })
  }

  #release(count = this.#held.length): void {
    for (const line of this.#held.splice(0, count)) this.#options.onLine(line)
  }

  #enter(state: State): void {
    this.#state = state
    this.#options.onChange?.(this.status)
  }
}
