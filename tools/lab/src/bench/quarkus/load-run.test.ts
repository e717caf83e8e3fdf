import { expect, it } from 'vitest'
import { measureRounds } from '../rounds.ts'
import { oncePerRound } from './load-run.ts'

it('runs once a round for all figures, in whatever order they are asked for', async () => {
  let runs = 0
  const { fast, slow } = oncePerRound('both', ['fast', 'slow'], async () => {
    runs += 1
    return { fast: runs * 10, slow: runs }
  })
  const rates = await measureRounds([fast, slow], 3)
  // The first run is for warming up.
  expect(rates.get(fast)).toEqual([20, 30, 40])
  expect(rates.get(slow)).toEqual([2, 3, 4])
  expect(runs).toBe(4)
})
