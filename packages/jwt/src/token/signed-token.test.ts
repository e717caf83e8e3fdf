import { describe, expect, it } from 'vitest'
import { createQueue } from './signed-token.ts'

describe('a queue of checks', () => {
  /** Checks that end when they are let go, in the order in which they began. */
  function heldChecks() {
    const queue = createQueue(4)
    const held: (() => void)[] = []
    const begin = () => queue.run(() => new Promise<void>((resolve) => held.push(resolve)))
    return { queue, held, begin }
  }

  it('begins as many at a time as it may, the others in their order', async () => {
    const { held, begin } = heldChecks()
    const done: number[] = []
    const all = Array.from({ length: 6 }, (_, index) => begin().then(() => done.push(index)))
    expect(held).toHaveLength(4)
    for (let index = 0; index < 6; index += 1) {
      held[index]?.()
      await all[index]
    }
    expect(done).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('begins one at a time from when it may no more, and several again later', async () => {
    const { queue, held, begin } = heldChecks()
    const all = Array.from({ length: 8 }, begin)
    queue.atATime = 1
    for (let index = 0; index < 3; index += 1) {
      held[index]?.()
      await all[index]
    }
    expect(held).toHaveLength(4)
    queue.atATime = 2
    held[3]?.()
    await all[3]
    expect(held).toHaveLength(6)
  })
})
