import { describe, expect, it } from 'vitest'
import { startStopwatch } from './stopwatch.ts'

const NO_PROCESS = 2 ** 30

function work(): number {
  let sum = 0
  for (let n = 0; n < 5_000_000; n += 1) sum += Math.sqrt(n)
  return sum
}

describe('startStopwatch', () => {
  it.each([
    ['of the CPU of this process', [process.pid]],
    ['of the clock when a process is not there to ask', [process.pid, NO_PROCESS]],
  ])('gives seconds %s, more after more work', (_, pids) => {
    const seconds = startStopwatch(...pids)
    work()
    const first = seconds()
    work()
    expect(first).toBeGreaterThan(0)
    expect(seconds()).toBeGreaterThan(first)
  })
})
