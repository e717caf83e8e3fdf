import { describe, expect, it } from 'vitest'
import { cutPower, SETUPS } from './power-cut/cut-power.ts'

/** With `EVERY_CUT` after each operation, otherwise after one in so many. */
function everyFor(brokers: number): number {
  if (process.env['EVERY_CUT']) return 1
  return brokers === 1 ? 7 : 43
}

describe('decisions 3.91: a power cut', () => {
  it.each(SETUPS)('at any moment leaves data that is whole: $brokers brokers, flushed: $isFlushed', async (setup) => {
    const { broken, cuts } = await cutPower(setup, everyFor(setup.brokers))
    expect(broken.slice(0, 20)).toEqual([])
    expect(cuts).toBeGreaterThan(50)
  })
})
