import { startProcess } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'

const main = new URL('../src/main.ts', import.meta.url)

describe('the price-generator process', () => {
  it('ends with 1 and one line that names every invalid variable', async () => {
    await using generator = startProcess(main, { PRICE_MIN: '1.005', PRICE_MAX: 'much' })
    expect(await generator.end()).toBe(1)
    expect(generator.errors).toHaveLength(1)
    for (const name of ['PRICE_MIN', 'PRICE_MAX']) expect(generator.errors[0]).toContain(name)
  })
})
