import { describe, expect, it } from 'vitest'
import { cutPower, SETUPS } from './power-cut/cut-power.ts'

describe('decisions 3.91: a power cut', () => {
  it.each(SETUPS)('at some moments leaves data that is whole: $brokers brokers, flushed: $isFlushed', async (setup) => {
    const { broken, cuts } = await cutPower(setup, setup.brokers === 1 ? 37 : 151)
    expect(broken.slice(0, 20)).toEqual([])
    expect(cuts).toBeGreaterThan(20)
  })
})
