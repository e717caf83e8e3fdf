import { setTimeout as delay } from 'node:timers/promises'
import { BLOCK_LIMIT_MS, type Finding, type Tally } from '../finding.ts'
import { createRandom } from '../kit/random.ts'
import type { OpenServers, Sendable, ServerTarget } from './server-target.ts'
import { SILENCE_MS } from './watch.ts'

export interface ServerRun {
  readonly surface: string
  readonly seed: number
  /** Number of the first input. */
  readonly from: number
  /** The most inputs to send. */
  readonly inputs: number
  /** How many of the hostile shapes are sent. Default: all. */
  readonly mostShapes?: number
  readonly isOver?: () => boolean
  readonly folder: string
  readonly onFinding: (finding: Finding) => void
}

const BATCH = 128
const AT_ONCE = 16
const REPEATS = 3
/** How long after an input a process may still end because of it, in milliseconds. */
const AFTERMATH_MS = 50
/** The run gives up after this many restarts. */
const MOST_RESTARTS = 10

/**
 * Sends one batch of inputs after the other. After each it checks that all processes run, how long they were blocked, and that valid
 * requests still get their usual answers.
 */
export async function runServers(open: OpenServers, run: ServerRun): Promise<Tally> {
  const session = new Session(open, run)
  try {
    await session.start()
    for (let number = session.skipShapes(run.from); session.isToGoOn; ) {
      const end = Math.min(session.batchEnd(number), number + run.inputs - session.tally.inputs)
      await session.sendBatch(number, end)
      number = session.skipShapes(end)
    }
    return session.tally
  } finally {
    await session.stop()
  }
}

class Session {
  #restarts = 0
  readonly #open: OpenServers
  readonly #run: ServerRun
  #target: ServerTarget | undefined
  readonly #made = new Map<number, Sendable>()
  #inputs = 0
  #crashes = 0
  #serverErrors = 0
  #longestBlockMs = 0

  constructor(open: OpenServers, run: ServerRun) {
    this.#open = open
    this.#run = run
  }

  get tally(): Tally {
    return {
      inputs: this.#inputs,
      crashes: this.#crashes,
      serverErrors: this.#serverErrors,
      longestBlockMs: this.#longestBlockMs,
    }
  }

  async start(): Promise<void> {
    // Inputs made for the servers before would be sent to them.
    this.#made.clear()
    this.#target = await this.#open(this.#run.folder)
    const problems = await this.#target.probe()
    if (problems.length > 0) throw new Error(`before anything was sent: ${problems.join('; ')}`)
    // The start takes longer than any input.
    await this.#target.watch.longestBlockMs()
    this.#target.watch.ended()
  }

  async stop(): Promise<void> {
    await this.#target?.[Symbol.asyncDispose]()
    this.#target = undefined
  }

  get isToGoOn(): boolean {
    return this.#inputs < this.#run.inputs && this.#restarts <= MOST_RESTARTS && !this.#run.isOver?.()
  }

  /** The number itself, or that of the first input after the shapes when it is a shape to be skipped. */
  skipShapes(number: number): number {
    const shapes = this.#started.shapes.length
    return number < shapes && number >= (this.#run.mostShapes ?? shapes) ? shapes : number
  }

  /** Shapes are sent one by one, to know what each costs. */
  batchEnd(number: number): number {
    const shapes = this.#started.shapes.length
    return number < shapes ? number + 1 : number + BATCH
  }

  async sendBatch(from: number, until: number): Promise<void> {
    const target = this.#started
    this.#made.clear()
    await this.#sendAll(from, until, (number) => this.#send(number))
    // A server may still work after its answer; the probe's turn comes after that work.
    const problems = await target.probe()
    const blockMs = await target.watch.longestBlockMs()
    const ended = target.watch.ended()
    if (ended.length > 0) return await this.#afterEnd(ended, from, until)
    for (const problem of problems) this.#find('crash', from, `after inputs ${from} to ${until - 1}: ${problem}`)
    if (blockMs >= SILENCE_MS) this.#blockForEver(from, until)
    // Servers that answer wrongly now will not recover by themselves.
    if (problems.length > 0 || blockMs >= SILENCE_MS) await this.#restart()
    else if (blockMs <= BLOCK_LIMIT_MS) this.#longestBlockMs = Math.max(this.#longestBlockMs, blockMs)
    else await this.#confirmBlock(from, until)
  }

  get #started(): ServerTarget {
    if (this.#target === undefined) throw new Error('the servers are not started')
    return this.#target
  }

  /** Made once per batch: it takes longer to make shapes than to send them. */
  #sendable(number: number): Sendable {
    const { shapes, input } = this.#started
    const made =
      this.#made.get(number) ?? shapes[number]?.make() ?? input(createRandom(this.#run.surface, this.#run.seed, number))
    this.#made.set(number, made)
    return made
  }

  async #send(number: number): Promise<void> {
    const sendable = this.#sendable(number)
    this.#inputs += 1
    for (const { kind, message } of await sendable.send()) this.#find(kind, number, message, sendable)
  }

  #find(kind: Finding['kind'], input: number, message: string, sendable = this.#sendable(input)): void {
    if (kind === 'crash') this.#crashes += 1
    if (kind === '5xx') this.#serverErrors += 1
    this.#run.onFinding({ kind, input, message, text: sendable.text() })
  }

  #blockForEver(from: number, until: number): void {
    this.#longestBlockMs = Math.max(this.#longestBlockMs, SILENCE_MS)
    this.#find(
      'block',
      from,
      `after inputs ${from} to ${until - 1} an event loop stood still for more than ${SILENCE_MS} ms`,
    )
  }

  /** A few at a time. */
  async #sendAll(from: number, until: number, send: (number: number) => Promise<unknown>): Promise<void> {
    let next = from
    const work = async () => {
      while (next < until) {
        const number = next
        next += 1
        await send(number)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }

  /**
   * A slow batch may be one with several inputs, or a busy moment of the machine: all are sent again, then each alone, and the shortest of
   * several times counts.
   */
  async #confirmBlock(from: number, until: number): Promise<void> {
    await this.#sendAll(from, until, (number) => this.#sendable(number).send())
    const againMs = await this.#blockSoon()
    if (againMs <= BLOCK_LIMIT_MS) {
      this.#longestBlockMs = Math.max(this.#longestBlockMs, againMs)
      return
    }
    for (let number = from; number < until && !this.#run.isOver?.(); number += 1) {
      let leastMs = againMs
      for (let repeat = 0; repeat < REPEATS && leastMs > BLOCK_LIMIT_MS; repeat += 1) {
        await this.#sendable(number).send()
        leastMs = Math.min(leastMs, await this.#blockSoon())
      }
      this.#longestBlockMs = Math.max(this.#longestBlockMs, leastMs)
      if (leastMs > BLOCK_LIMIT_MS)
        this.#find('block', number, `an event loop stood still for ${leastMs.toFixed(0)} ms`)
    }
  }

  /** How long a loop was blocked, including work after the answer. */
  async #blockSoon(): Promise<number> {
    await this.#started.probe()
    return await this.#started.watch.longestBlockMs()
  }

  /** Restarts the servers and sends the batch again, one by one, to find the input. */
  async #afterEnd(names: readonly string[], from: number, until: number): Promise<void> {
    const why = this.#started.errors.slice(-12).join(' ').slice(0, 600)
    await this.#restart()
    for (let number = from; number < until; number += 1) {
      await this.#sendable(number).send()
      await delay(AFTERMATH_MS)
      const ended = this.#started.watch.ended()
      if (ended.length === 0) continue
      this.#find(
        'crash',
        number,
        `${ended.join(', ')} ended: ${this.#started.errors.slice(-12).join(' ').slice(0, 600)}`,
      )
      return await this.#restart()
    }
    this.#find(
      'crash',
      from,
      `${names.join(', ')} ended after inputs ${from} to ${until - 1} and not when they were sent one by one: ${why}`,
    )
  }

  async #restart(): Promise<void> {
    this.#restarts += 1
    await this.stop()
    await this.start()
  }
}
