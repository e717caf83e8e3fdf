import { expect, it } from 'vitest'
import { steadily } from './steady.ts'

it('begins one after another without waiting for any, and ends when all are done', async () => {
  const begun: number[] = []
  const done: number[] = []
  const held = Promise.withResolvers<void>()
  const third = Promise.withResolvers<void>()
  const going = steadily(1000, async (index) => {
    begun.push(index)
    if (index === 2) third.resolve()
    await held.promise
    done.push(index)
  })
  await third.promise
  expect(done).toEqual([])
  const ended = going[Symbol.asyncDispose]()
  held.resolve()
  await ended
  expect(done).toEqual(begun.map((_, index) => index))
})
