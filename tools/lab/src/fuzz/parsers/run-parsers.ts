import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { createRandom } from '../../harness/random.ts'
import { BLOCK_LIMIT_MS, describeError, type Finding, type Run, type Tally } from '../finding.ts'
import type { Outcome, ParserTarget, Probe } from './parser-target.ts'

export interface ParserRun extends Run {
  /** True: a slow call is repeated, and may be found to block. Default: true. */
  readonly isTimed?: boolean
  readonly onInput?: (number: number) => void
}

/** A call that took longer, in milliseconds, is repeated: a slow one is slow each time. */
const SUSPICION_MS = 5
const REPEATS = 3
const YIELD_EVERY_MS = 200

/** Tries one input after the other, as fast as they can be parsed. */
export async function runParsers(target: ParserTarget, run: ParserRun): Promise<Tally> {
  const deadline = performance.now() + (run.seconds ?? Number.POSITIVE_INFINITY) * 1000
  let inputs = 0
  let longestBlockMs = 0
  let yieldAt = performance.now() + YIELD_EVERY_MS
  for (let number = run.from; number < run.until && performance.now() < deadline; number += 1) {
    const probe = target.shapes[number]?.[1]() ?? target.input(createRandom(run.surface, run.seed, number))
    run.onInput?.(number)
    const attempt = attemptOf(probe)
    const { ms, ...outcome } = attempt instanceof Promise ? await attempt : attempt
    const { error } = outcome
    inputs += 1
    const find = (kind: Finding['kind'], message: string) =>
      run.onFinding({ kind, input: number, message, text: probe.text() })
    if (error !== undefined && !target.isOwn(error)) find('crash', describeError(error))
    const wrong = probe.judge && (await probe.judge(outcome))
    if (wrong !== undefined) find('wrong', wrong)
    if (run.isTimed !== false && ms > Math.max(SUSPICION_MS, Math.min(longestBlockMs, BLOCK_LIMIT_MS))) {
      const least = await leastOf(probe, ms)
      if (least > BLOCK_LIMIT_MS) find('block', `read in ${least.toFixed(0)} ms`)
      longestBlockMs = Math.max(longestBlockMs, least)
    }
    if (performance.now() > yieldAt) {
      await yieldToOthers()
      yieldAt = performance.now() + YIELD_EVERY_MS
    }
  }
  return { inputs, longestBlockMs }
}

interface Attempt extends Outcome {
  readonly ms: number
}

/** Awaits only promises: most parsers take less time than a turn of the event loop. Measured by the clock, which is cheap to read. */
function attemptOf(probe: Probe): Attempt | Promise<Attempt> {
  const start = performance.now()
  const ended = (outcome: Outcome): Attempt => ({ ms: performance.now() - start, ...outcome })
  try {
    const value = probe.run()
    return value instanceof Promise ? longestTurn(value, start) : ended({ value })
  } catch (error) {
    return ended({ error })
  }
}

/** Work in several turns of the event loop blocks it for the longest of them. */
async function longestTurn(result: Promise<unknown>, start: number): Promise<Attempt> {
  let turnBegan = start
  let longest = 0
  let isOver = false
  const endTurn = () => {
    const now = performance.now()
    longest = Math.max(longest, now - turnBegan)
    turnBegan = now
    if (!isOver) setImmediate(endTurn)
  }
  setImmediate(endTurn)
  const outcome = await result.then(
    (value): Outcome => ({ value }),
    (error: unknown): Outcome => ({ error }),
  )
  isOver = true
  endTurn()
  return { ms: longest, ...outcome }
}

/**
 * The shortest time of a few calls, each measured by CPU time where that is less than the clock's: other work on the machine, or the
 * collection of older garbage, makes a single call slow.
 */
async function leastOf(probe: Probe, firstMs: number): Promise<number> {
  let least = firstMs
  for (let repeat = 0; repeat < REPEATS && (repeat === 0 || least > BLOCK_LIMIT_MS); repeat += 1) {
    const before = process.threadCpuUsage()
    const { ms } = await attemptOf(probe)
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, ms, (user + system) / 1000)
  }
  return least
}
