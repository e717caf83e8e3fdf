import { setTimeout as delay } from 'node:timers/promises'
import { BLOCK_LIMIT_MS, type Finding, type Tally } from '../finding.ts'
import { createRandom } from '../kit/random.ts'
import type { OpenServers, Sendable, ServerTarget } from './server-target.ts'
import { SILENCE_MS } from './watch.ts'

/** Which inputs a run sends, and whom it tells. */
export interface ServerRun {
  readonly surface: string
  readonly seed: number
  /** The first input's number. */
  readonly from: number
  /** How many inputs are sent at most. */
  readonly inputs: number
  /** Hostile shapes beyond the first so many are passed over; default all are sent. */
  readonly mostShapes?: number
  readonly isOver?: () => boolean
  /** Where the servers keep what they keep. */
  readonly folder: string
  readonly onFinding: (finding: Finding) => void
}

const BATCH = 128
const AT_ONCE = 16
const REPEATS = 3
/** How long after an input a process may end because of it, in milliseconds. */
const AFTERMATH_MS = 50
/** Enough to see that they are many. */
const MOST_RESTARTS = 10

/** Sends one batch of inputs after the other; after each it looks whether all processes are there, how long they stood still, and whether others are served as always. */
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
    // What was made for servers that have ended would be sent to them.
    this.#made.clear()
    this.#target = await this.#open(this.#run.folder)
    const problems = await this.#target.probe()
    if (problems.length > 0) throw new Error(`before anything was sent: ${problems.join('; ')}`)
    // Starting takes longer than anything that follows.
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

  /** The number itself, or that of the first input behind the shapes when it is one of those that are passed over. */
  skipShapes(number: number): number {
    const shapes = this.#started.shapes.length
    return number < shapes && number >= (this.#run.mostShapes ?? shapes) ? shapes : number
  }

  /** Shapes are sent one by one, so that what they cost is known of each. */
  batchEnd(number: number): number {
    const shapes = this.#started.shapes.length
    return number < shapes ? number + 1 : number + BATCH
  }

  async sendBatch(from: number, until: number): Promise<void> {
    const target = this.#started
    this.#made.clear()
    await this.#sendAll(from, until, (number) => this.#send(number))
    // What was sent may be worked on behind the answer; the probe comes after it.
    const problems = await target.probe()
    const blockMs = await target.watch.longestBlockMs()
    const ended = target.watch.ended()
    if (ended.length > 0) return await this.#afterEnd(ended, from, until)
    for (const problem of problems) this.#find('crash', from, `after inputs ${from} to ${until - 1}: ${problem}`)
    if (blockMs >= SILENCE_MS) this.#blockForEver(from, until)
    // Who is not served as always will not be again by himself.
    if (problems.length > 0 || blockMs >= SILENCE_MS) await this.#restart()
    else if (blockMs <= BLOCK_LIMIT_MS) this.#longestBlockMs = Math.max(this.#longestBlockMs, blockMs)
    else await this.#confirmBlock(from, until)
  }

  get #started(): ServerTarget {
    if (this.#target === undefined) throw new Error('the servers are not started')
    return this.#target
  }

  /** Made once in a batch: shapes take longer to make than to send. */
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
   * Several inputs at a time may take long together, and so may one on a busy machine: all are sent again, and then each alone, and the least of a
   * few times counts.
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

  /** How long a loop stood still, also by what comes behind the answer. */
  async #blockSoon(): Promise<number> {
    await this.#started.probe()
    return await this.#started.watch.longestBlockMs()
  }

  /** Starts anew and sends the batch again, one by one, to know which input it was. */
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
