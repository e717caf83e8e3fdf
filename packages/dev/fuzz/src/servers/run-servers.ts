import { setTimeout as delay } from 'node:timers/promises'
import { BLOCK_LIMIT_MS, type Finding, type Run, type Tally } from '../finding.ts'
import { createRandom } from '../kit/random.ts'
import type { OpenServers, RunningTarget, Sendable } from './server-target.ts'
import { SILENCE_MS } from './watch.ts'

interface ServerRun extends Run {
  /** For the servers' data. */
  readonly folder: string
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
  await using session = new Session(open, run, await started(open, run.folder))
  for (let number = run.from; number < run.until && session.isToGoOn; )
    number = await session.sendBatch(number, run.until)
  return session.tally
}

/** Opens servers, and waits until they answer as they should. */
async function started(open: OpenServers, folder: string): Promise<RunningTarget> {
  const target = await open(folder)
  const problems = await target.probe()
  if (problems.length > 0) {
    await target[Symbol.asyncDispose]()
    throw new Error(`before anything was sent: ${problems.join('; ')}`)
  }
  // The start takes longer than any input.
  await target.watch.longestBlockMs()
  target.watch.ended()
  return target
}

class Session implements AsyncDisposable {
  readonly #open: OpenServers
  readonly #run: ServerRun
  #target: RunningTarget
  readonly #deadline: number
  readonly #made = new Map<number, Sendable>()
  #restarts = 0
  #inputs = 0
  #longestBlockMs = 0

  constructor(open: OpenServers, run: ServerRun, target: RunningTarget) {
    this.#open = open
    this.#run = run
    this.#target = target
    this.#deadline = performance.now() + (run.seconds ?? Number.POSITIVE_INFINITY) * 1000
  }

  get #isOver(): boolean {
    return performance.now() > this.#deadline
  }

  get tally(): Tally {
    return { inputs: this.#inputs, longestBlockMs: this.#longestBlockMs }
  }

  get isToGoOn(): boolean {
    return this.#restarts <= MOST_RESTARTS && !this.#isOver
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#target[Symbol.asyncDispose]()
  }

  /** Returns the number after the last input sent. */
  async sendBatch(from: number, most: number): Promise<number> {
    // Shapes are sent one by one, to know what each costs.
    const until = Math.min(most, from < this.#target.shapes.length ? from + 1 : from + BATCH)
    this.#made.clear()
    this.#inputs += until - from
    await this.#sendAll(from, until, async (number) => {
      for (const { kind, message } of await this.#sendable(number).send()) this.#find(kind, number, message)
    })
    // A server may still work after its answer; the probe's turn comes after that work.
    const problems = await this.#target.probe()
    const blockMs = await this.#target.watch.longestBlockMs()
    const ended = this.#target.watch.ended()
    if (ended.length > 0) await this.#afterEnd(ended, from, until)
    else await this.#judge(problems, blockMs, from, until)
    return until
  }

  async #judge(problems: readonly string[], blockMs: number, from: number, until: number): Promise<void> {
    const after = `after inputs ${from} to ${until - 1}`
    for (const problem of problems) this.#find('crash', from, `${after}: ${problem}`)
    const isStill = blockMs >= SILENCE_MS
    if (isStill) this.#find('block', from, `${after} an event loop stood still for more than ${SILENCE_MS} ms`)
    if (isStill || blockMs <= BLOCK_LIMIT_MS) this.#longestBlockMs = Math.max(this.#longestBlockMs, blockMs)
    // Servers that answer wrongly now will not recover by themselves.
    if (problems.length > 0 || isStill) await this.#restart()
    else if (blockMs > BLOCK_LIMIT_MS) await this.#confirmBlock(from, until)
  }

  /** Made once per batch: it takes longer to make shapes than to send them. */
  #sendable(number: number): Sendable {
    const { shapes, input } = this.#target
    const made =
      this.#made.get(number) ?? shapes[number]?.[1]() ?? input(createRandom(this.#run.surface, this.#run.seed, number))
    this.#made.set(number, made)
    return made
  }

  #find(kind: Finding['kind'], input: number, message: string): void {
    this.#run.onFinding({ kind, input, message, text: this.#sendable(input).text() })
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
    for (let number = from; number < until && !this.#isOver; number += 1) {
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
    await this.#target.probe()
    return await this.#target.watch.longestBlockMs()
  }

  get #lastErrors(): string {
    return this.#target.errors.slice(-12).join(' ').slice(0, 600)
  }

  /** Restarts the servers and sends the batch again, one by one, to find the input. */
  async #afterEnd(names: readonly string[], from: number, until: number): Promise<void> {
    const why = this.#lastErrors
    await this.#restart()
    for (let number = from; number < until; number += 1) {
      await this.#sendable(number).send()
      await delay(AFTERMATH_MS)
      const ended = this.#target.watch.ended()
      if (ended.length === 0) continue
      this.#find('crash', number, `${ended.join(', ')} ended: ${this.#lastErrors}`)
      return await this.#restart()
    }
    const where = `after inputs ${from} to ${until - 1} and not when they were sent one by one`
    this.#find('crash', from, `${names.join(', ')} ended ${where}: ${why}`)
  }

  async #restart(): Promise<void> {
    this.#restarts += 1
    // Inputs made for the servers before would be sent to them.
    this.#made.clear()
    await this.#target[Symbol.asyncDispose]()
    this.#target = await started(this.#open, this.#run.folder)
  }
}
