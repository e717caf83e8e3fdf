import { expect, it } from 'vitest'
import { quantile } from './quantile.ts'

const buckets = [
  { bound: 1, count: 0 },
  { bound: 2, count: 10 },
  { bound: 4, count: 10 },
  { bound: Number.POSITIVE_INFINITY, count: 0 },
]

it.each([
  ['the middle is where two buckets meet', buckets, 0.5, 2],
  ['within a bucket it is spread evenly', buckets, 0.25, 1.5],
  ['the end is the last bound', buckets, 1, 4],
  [
    'beyond all bounds it is the last one',
    [...buckets.slice(0, 3), { bound: Number.POSITIVE_INFINITY, count: 100 }],
    0.9,
    4,
  ],
  ['the first bucket begins at zero', [{ bound: 10, count: 4 }], 0.5, 5],
  ['of nothing there is none', [{ bound: 1, count: 0 }], 0.5, undefined],
] as const)('quantile: %s', (_name, given, q, expected) => {
  expect(quantile(given, q)).toBe(expected)
})
