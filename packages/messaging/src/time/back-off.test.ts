import { describe, expect, it } from 'vitest'
import { type BackOffOptions, createBackOff, pause } from './back-off.ts'

function makeBackOff(options: BackOffOptions) {
  const delays: number[] = []
  const backOff = createBackOff({
    ...options,
    async sleep(ms) {
      delays.push(ms)
    },
  })
  return { backOff, delays }
}

const never = new AbortController().signal

describe('backOff', () => {
  it('doubles from the first delay to the longest and begins again after a reset', async () => {
    const { backOff, delays } = makeBackOff({ minMs: 200, maxMs: 1000, random: () => 1 })
    for (let attempt = 0; attempt < 5; attempt += 1) await backOff.wait(never)
    backOff.reset()
    await backOff.wait(never)
    expect(delays).toEqual([200, 400, 800, 1000, 1000, 200])
  })

  it('spreads a delay over its upper half', async () => {
    const { backOff, delays } = makeBackOff({ minMs: 200, random: () => 0 })
    await backOff.wait(never)
    expect(delays).toEqual([100])
  })

  it('ends at once when it is aborted', async () => {
    const abort = new AbortController()
    const waiting = createBackOff({ minMs: 60_000, maxMs: 60_000 }).wait(abort.signal)
    abort.abort()
    await waiting
    await pause(60_000, abort.signal)
  })
})
