import { describe, expect, it } from 'vitest'
import { HeldBytes, type Holder } from './held-bytes.ts'

describe('HeldBytes', () => {
  it('drops whoever holds most when all hold too much, and nobody before', () => {
    const held = new HeldBytes(100)
    const dropped: string[] = []
    const make = (name: string): Holder => ({ drop: () => dropped.push(name) })
    const [small, large, last] = [make('small'), make('large'), make('last')]
    held.set(small, 20)
    held.set(large, 80)
    expect(dropped).toEqual([])
    held.set(last, 1)
    expect(dropped).toEqual(['large'])
    expect(held.total).toBe(21)
    held.set(large, 0)
    held.set(small, 0)
    expect(held.total).toBe(1)
  })
})
