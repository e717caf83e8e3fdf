import { expect, it } from 'vitest'
import { inProcess } from './contenders.ts'

it('makes every call, one after another, and gives their number per second of CPU time', async () => {
  let running = 0
  let made = 0
  const contender = inProcess(
    'call',
    async () => {
      running += 1
      expect(running).toBe(1)
      for (let step = 0; step < 10_000; step += 1) Math.hypot(step, step)
      await undefined
      running -= 1
      made += 1
    },
    { calls: 100 },
  )
  const rate = await contender.measure()
  expect(made).toBe(100)
  expect(rate).toBeGreaterThan(0)
  expect(rate).toBeLessThan(1e7)
})
