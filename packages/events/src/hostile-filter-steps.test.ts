import { startStepCounter } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { createFilter } from './create-filter.ts'

const steps = await startStepCounter()

describe('a filter of a hostile event', () => {
  it.each<[string, (length: number) => string]>([
    [`TRIM(subject) = 'x'`, (length) => `x${' '.repeat(length)}x`],
    [`subject LIKE '%${'a'.repeat(100)}b'`, (length) => 'a'.repeat(length)],
    [`subject LIKE '${'%a'.repeat(50)}b'`, (length) => 'a'.repeat(length)],
    [`LENGTH(subject) = 1`, (length) => 'é'.repeat(length)],
    ['subject = 1', (length) => '1'.repeat(length)],
  ])('%s takes steps in proportion to the length of the attribute', async (cesql, hostile) => {
    const filter = createFilter({ filters: [{ cesql }] })
    const stepsFor = (length: number) => {
      const event = {
        specversion: '1.0',
        id: '1',
        source: '/x',
        type: 't',
        subject: hostile(length),
      } as const
      return steps.count(() => filter(event))
    }
    // What grows with the square takes 64 times as many for eight times the length.
    const few = await stepsFor(2000)
    expect(await stepsFor(16_000)).toBeLessThan(few * 16)
  })
})
