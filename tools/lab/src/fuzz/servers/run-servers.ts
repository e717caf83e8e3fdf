import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { reasonOf } from '@taproom/core/lines'
import { createRandom } from '../../harness/random.ts'
import { describeError, type Finding, type Run, type Tally } from '../finding.ts'
import type { OpenServers, RunningTarget, Sendable } from './server-target.ts'
import { SILENCE_MS } from './watch.ts'

interface ServerRun extends Run {
  readonly folder: string
}

const BATCH = 128
const AT_ONCE = 16
const REPEATS = 3
/** How long after an input a process may still end because of it, in milliseconds. */
const AFTERMATH_MS = 50
/** The time of this many restarts does not count among the run's, so that a surface with a short share goes on. */
const MOST_RESTARTS = 10

/**
 * Sends one batch of inputs after the other. After each it checks that all processes run, what the batch cost them, and that valid requests
 * still get their usual answers. After a finding it restarts what died and goes on.
 */
export async function runServers(open: OpenServers, run: ServerRun): Promise<Tally> {
  await using session = new Session(open, run, await started(open, run.folder))
  let number = run.from
  try {
    while (number < run.until && !session.isOver) number = await session.sendBatch(number, run.until)
  } catch (error) {
    run.onFinding({ kind: 'crash', input: number, message: `the run broke off: ${describeError(error)}`, text: '' })
  }
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
  await target.watch.highestCost()
  target.watch.ended()
  return target
}

class Session implements AsyncDisposable {
  readonly #open: OpenServers
  readonly #run: ServerRun
  #target: RunningTarget
  #deadline: number
  readonly #made = new Map<number, Sendable>()
  #restarts = 0
  #inputs = 0
  #highestCost = 0

  constructor(open: OpenServers, run: ServerRun, target: RunningTarget) {
    this.#open = open
    this.#run = run
    this.#target = target
    this.#deadline = performance.now() + (run.seconds ?? Number.POSITIVE_INFINITY) * 1000
  }

  get isOver(): boolean {
    return performance.now() > this.#deadline
  }

  get tally(): Tally {
    const inputs = this.#inputs
    if (this.#target.measure.unit === 'steps') return { inputs, longestBlockMs: 0, mostSteps: this.#highestCost }
    return { inputs, longestBlockMs: this.#highestCost }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#target[Symbol.asyncDispose]()
  }

  /** Returns the number after the last input that is done with. */
  async sendBatch(from: number, most: number): Promise<number> {
    const next = await this.#tryBatch(from, most)
    this.#inputs += next - from
    return next
  }

  async #tryBatch(from: number, most: number): Promise<number> {
    // Shapes are sent one by one, to know what each costs.
    const until = Math.min(most, from < this.#target.shapes.length ? from + 1 : from + BATCH)
    this.#made.clear()
    await this.#sendAll(from, until, async (number) => {
      for (const { kind, message } of await this.#sendable(number).send()) this.#find(kind, number, message)
    })
    // A server may still work after its answer; the probe's turn comes after that work.
    const problems = await this.#target.probe()
    const cost = await this.#target.watch.highestCost()
    const ended = this.#target.watch.ended()
    if (ended.length > 0) return await this.#afterEnd(ended, from, until)
    await this.#judge(problems, cost, from, until)
    return until
  }

  async #judge(problems: readonly string[], cost: number, from: number, until: number): Promise<void> {
    const after = `after inputs ${from} to ${until - 1}`
    for (const problem of problems) this.#find('crash', from, `${after}: ${problem}`)
    const isStill = cost === Number.POSITIVE_INFINITY
    if (isStill) this.#find('block', from, `${after} an event loop stood still for more than ${SILENCE_MS} ms`)
    const isHigh = cost > this.#limitOf(from, until)
    if (!isHigh) this.#noteCost(cost)
    // Servers that answer wrongly now will not recover by themselves.
    if (problems.length > 0 || isStill) await this.#restart(from)
    else if (isHigh) await this.#confirmCost(from, until)
  }

  #limitOf(from: number, until: number): number {
    let bytes = 0
    for (let number = from; number < until; number += 1) bytes += this.#sendable(number).bytes
    return this.#target.measure.limitOf(bytes)
  }

  #noteCost(cost: number): void {
    this.#highestCost = Math.max(this.#highestCost, cost)
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
   * A costly batch may be one with several inputs, or a busy moment of the machine: all are sent again, then each alone, and the lowest cost
   * of several times counts.
   */
  async #confirmCost(from: number, until: number): Promise<void> {
    await this.#sendAll(from, until, (number) => this.#sendable(number).send())
    const again = await this.#costSoon()
    if (again <= this.#limitOf(from, until)) return this.#noteCost(again)
    for (let number = from; number < until && !this.isOver; number += 1) {
      const limit = this.#limitOf(number, number + 1)
      let least = Number.POSITIVE_INFINITY
      for (let repeat = 0; repeat < REPEATS && least > limit; repeat += 1) {
        await this.#sendable(number).send()
        least = Math.min(least, await this.#costSoon())
      }
      this.#noteCost(least)
      if (least > limit) this.#find('block', number, this.#target.measure.describe(least))
    }
  }

  /** The cost since the last question, with that of work after the answer. */
  async #costSoon(): Promise<number> {
    await this.#target.probe()
    return await this.#target.watch.highestCost()
  }

  get #lastErrors(): string {
    return this.#target.errors().slice(-12).join(' ').slice(0, 600)
  }

  /**
   * Restarts the servers and sends the batch again, one by one, to find the input. Returns the number of the input after that one, or the
   * number after the batch.
   */
  async #afterEnd(names: readonly string[], from: number, until: number): Promise<number> {
    const why = this.#lastErrors
    await this.#restart(from)
    for (let number = from; number < until; number += 1) {
      await this.#sendable(number).send()
      await delay(AFTERMATH_MS)
      const ended = this.#target.watch.ended()
      if (ended.length === 0) continue
      this.#find('crash', number, `${ended.join(', ')} ended: ${this.#lastErrors}`)
      await this.#restart(number)
      return number + 1
    }
    const where = `after inputs ${from} to ${until - 1} and not when they were sent one by one`
    this.#find('crash', from, `${names.join(', ')} ended ${where}: ${why}`)
    return until
  }

  /** Starts the servers again with their data; without it, in a folder of its own, when that fails. */
  async #restart(after: number): Promise<void> {
    const began = performance.now()
    const text = this.#sendable(after).text()
    await this.#target[Symbol.asyncDispose]()
    try {
      this.#target = await started(this.#open, this.#run.folder)
    } catch (error) {
      const message = `the servers did not start again with their data: ${reasonOf(error)}`
      this.#run.onFinding({ kind: 'crash', input: after, message, text })
      this.#target = await started(this.#open, await mkdtemp(join(this.#run.folder, 'again-')))
    }
    // Inputs made for the servers before would be sent to them.
    this.#made.clear()
    this.#restarts += 1
    if (this.#restarts <= MOST_RESTARTS) this.#deadline += performance.now() - began
  }
}
