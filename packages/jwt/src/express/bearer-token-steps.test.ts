import type { IncomingMessage } from 'node:http'
import { startStepCounter } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { bearerTokensOf } from './authenticate.ts'

const steps = await startStepCounter()

type Place = 'Authorization' | 'Cookie'

function read(place: Place, value: string) {
  const req = { rawHeaders: [place, value], headers: { [place.toLowerCase()]: value } }
  return bearerTokensOf(req as unknown as IncomingMessage, place === 'Cookie' ? 'Bearer' : undefined)
}

describe('a hostile header', () => {
  it.each<[Place, string, (length: number) => string]>([
    ['Cookie', 'blanks before a quote', (length) => `Bearer=${' '.repeat(length)}x"x`],
    ['Cookie', 'blanks before no equals sign', (length) => `Bearer${' '.repeat(length)}`],
    ['Cookie', 'quotes', (length) => `Bearer=${'"'.repeat(length)}x`],
    ['Cookie', 'blanks and quotes', (length) => `Bearer=${' "'.repeat(length / 2)}`],
    ['Cookie', 'equals signs', (length) => `Bearer${'='.repeat(length)}`],
    ['Cookie', 'semicolons', (length) => `${';'.repeat(length)}Bearer=x`],
    ['Cookie', 'tokens', (length) => 'Bearer=x;'.repeat(length / 8)],
    ['Authorization', 'blanks', (length) => `Bearer ${' '.repeat(length)}`],
    ['Authorization', 'commas', (length) => `Bearer ${','.repeat(length)}`],
    ['Authorization', 'tokens', (length) => 'Bearer x,'.repeat(length / 8)],
  ])('%s of many %s takes steps in proportion to its length', async (header, _case, hostile) => {
    const stepsFor = (length: number) => {
      const value = hostile(length)
      return steps.count(() => read(header, value))
    }
    // What grows with the square takes 64 times as many for eight times the length.
    const few = await stepsFor(2000)
    expect(await stepsFor(16_000)).toBeLessThan(few * 16)
  })
})
