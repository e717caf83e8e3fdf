import { describe, expect, it } from 'vitest'
import { byWeight } from './kill-loop.ts'
import { createRandom } from './random.ts'

describe('createRandom', () => {
  it('repeats its numbers for a seed, and gives others for another one', () => {
    const numbers = (seed: number) => {
      const random = createRandom(seed)
      return Array.from({ length: 5 }, () => random.next())
    }
    expect(numbers(7)).toEqual(numbers(7))
    expect(numbers(7)).not.toEqual(numbers(8))
  })

  it('chooses by weight, and never what weighs nothing', () => {
    const random = createRandom(1)
    const items = [
      { name: 'often', weight: 9 },
      { name: 'rarely', weight: 1 },
      { name: 'never', weight: 0 },
    ]
    const times = { often: 0, rarely: 0, never: 0 }
    for (let turn = 0; turn < 1000; turn += 1) {
      const { name } = byWeight(items, random) ?? { name: 'never' }
      times[name as keyof typeof times] += 1
    }
    expect(times.never).toBe(0)
    expect(times.often).toBeGreaterThan(800)
    expect(times.rarely).toBeGreaterThan(50)
    expect(byWeight([], random)).toBeUndefined()
  })
})
