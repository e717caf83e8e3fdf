import type { BeerRecord } from '../src/beer-hub-options.ts'

export const makeRecord = (offset: number, overrides: Partial<BeerRecord> = {}): BeerRecord => ({
  name: `Ale ${offset}`,
  price: 12.5,
  partition: 0,
  offset: BigInt(offset),
  timestamp: 1000 + offset,
  ...overrides,
})
