import { parseServiceLine, type ServiceLine } from '@taproom/core/lines'
import {
  describeEnding,
  endingWithParent,
  FEW_ARENAS,
  type NodeProcess,
  SMALL_HEAP,
  startNode,
} from '@taproom/processes'
import { MAX_LINE_LENGTH } from '../output/service-line.ts'
import { GATE, type GateLeave, type GateOrder, type GatePreparation, type GatePrepared } from './gate.ts'
import { ServiceExitError } from './start-error.ts'

export interface LaunchOptions {
  readonly name: string
  readonly main: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  onLine(line: ServiceLine): void
  /** Puts places in the sources where a line has those of a bundle. Default: leaves it. */
  readonly sourcePlaces?: ((line: string) => string) | undefined
  /** Waits for {@link Launch.load} and {@link Launch.go}. Default false. */
  readonly isHeld?: boolean
  /** Port of 127.0.0.1 for a debugger. */
  readonly inspectPort: number | undefined
}

/** How long a child may take to stop in order when this process is gone, in milliseconds. */
const ORPHAN_GRACE_MS = 3000

/** Lines on stderr that are held back until a process is ready: if it ends before, they say why. */
const MAX_HELD_LINES = 40

export class Launch {
  /** The port of its ready line. Rejects with a ServiceExitError when it ends before. May be left unawaited. */
  readonly ready: Promise<number | undefined>
  /** How it ended. Never rejects. */
  readonly ended: Promise<string>
  /** When it began to load its sources: what a spare process loads before is not counted. */
  startedAt = performance.now()
  readonly child: NodeProcess
  /** The `controlPort` of its ready line. */
  controlPort: number | undefined
  readonly #options: LaunchOptions
  readonly #ready = Promise.withResolvers<number | undefined>()
  #isReady = false
  #held: ServiceLine[] = []
  #loaded: Promise<void> | undefined

  constructor(options: LaunchOptions) {
    const { name, main, cwd, env, isHeld = false, inspectPort, sourcePlaces = (line) => line } = options
    this.#options = options
    this.ready = this.#ready.promise
    this.ready.catch(() => {})
    const inspect = inspectPort === undefined || isHeld ? [] : [`--inspect=127.0.0.1:${inspectPort}`]
    this.child = startNode({
      args: [
        ...SMALL_HEAP,
        ...inspect,
        ...(isHeld ? GATE : []),
        ...endingWithParent(main, { graceMs: ORPHAN_GRACE_MS }),
      ],
      cwd,
      env: { ...FEW_ARENAS, ...env },
      hasChannel: isHeld,
      lines: { maxLength: MAX_LINE_LENGTH },
      onLine: (text, source) => this.#read(source, parseServiceLine(name, source, sourcePlaces(text))),
    })
    this.ended = this.child.ended.then((ending) => {
      const text = describeEnding(ending)
      this.#ready.reject(this.#exit(text))
      return text
    })
  }

  get name(): string {
    return this.#options.name
  }

  /** Has it load packages before its order is known. @throws {ServiceExitError} when it ended */
  prepare(preparation: GatePreparation): Promise<GatePrepared> {
    return this.#ask(preparation)
  }

  /**
   * Has it load everything, once, and wait at the gate.
   *
   * @throws {ServiceExitError} when it cannot be loaded
   */
  load(order: GateOrder): Promise<void> {
    if (this.#loaded === undefined) {
      this.startedAt = performance.now()
      this.#loaded = this.#ask(order)
    }
    return this.#loaded
  }

  /** Lets it run. @throws {ServiceExitError} when it ended at the gate */
  async go(): Promise<void> {
    await this.#ask({ inspectPort: this.#options.inspectPort } satisfies GateLeave)
  }

  /** Passes on what was held back. */
  release(count = this.#held.length): void {
    for (const line of this.#held.splice(0, count)) this.#options.onLine(line)
  }

  async #ask<Answer>(message: object): Promise<Answer> {
    try {
      return await this.child.ask(message)
    } catch {
      throw this.#exit(await this.ended)
    }
  }

  #exit(ending: string): ServiceExitError {
    return new ServiceExitError(this.#options.name, ending, this.#held)
  }

  #read(source: 'stdout' | 'stderr', line: ServiceLine): void {
    const { name, onLine } = this.#options
    if (this.#isReady || source === 'stdout') {
      onLine(line)
      if (!this.#isReady && line.fields['msg'] === `${name} ready`) this.#becomeReady(line.fields)
      return
    }
    this.#held.push(line)
    if (this.#held.length > MAX_HELD_LINES) this.release(1)
  }

  #becomeReady({ port, controlPort }: ServiceLine['fields']): void {
    this.#isReady = true
    if (typeof controlPort === 'number') this.controlPort = controlPort
    this.release()
    this.#ready.resolve(typeof port === 'number' ? port : undefined)
  }
}
