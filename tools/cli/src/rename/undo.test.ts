import { describe, expect, it } from 'vitest'
import { undoAll } from './undo.ts'

describe('undoAll', () => {
  it('takes all steps, the last one first, and throws the reason', async () => {
    const taken: number[] = []
    const steps = [1, 2, 3].map((step) => async () => taken.push(step))
    const reason = new Error('no network')
    await expect(undoAll(steps, reason)).rejects.toBe(reason)
    expect(taken).toEqual([3, 2, 1])
  })

  it('takes the others when one fails, and names the reason before the failures', async () => {
    const taken: number[] = []
    const fails = (message: string) => () => Promise.reject(new Error(message))
    const steps = [fails('disk full'), async () => taken.push(1), fails('not permitted')]
    const reason = new Error('no network')
    await expect(undoAll(steps, reason)).rejects.toMatchObject({
      message: 'no network\n\nNot all is as before:\nnot permitted\ndisk full',
      cause: reason,
    })
    expect(taken).toEqual([1])
  })
})
