import { expect, it } from 'vitest'
import { startStepCounter } from '../src/index.ts'

const steps = await startStepCounter()

function rounds(count: number): number {
  let sum = 0
  for (let round = 0; round < count; round += 1) sum += round
  return sum
}

function square(count: number): number {
  let sum = 0
  for (let round = 0; round < count; round += 1) sum += rounds(count)
  return sum
}

it('startStepCounter counts rounds of loops, the same each time', async () => {
  const few = await steps.count(() => rounds(1000))
  expect(few).toBeGreaterThanOrEqual(1000)
  expect(await steps.count(() => rounds(8000))).toBeLessThan(few * 9)
  expect(await steps.count(() => rounds(8000))).toBe(await steps.count(() => rounds(8000)))
  expect(await steps.count(() => square(800))).toBeGreaterThan((await steps.count(() => square(100))) * 60)
})

it('startStepCounter counts until what it is given has ended', async () => {
  const later = async (count: number) => {
    await undefined
    return rounds(count)
  }
  expect(await steps.count(() => later(5000))).toBeGreaterThan(5000)
})
