import { describe, expect, it } from 'vitest'
import { cancelled, elect, expanded, type Leadership, preferred, reassigned, shrunk } from './leadership.ts'

const BASE: Leadership = { replicas: [1, 2, 3], isr: [1, 2, 3], leader: 1, epoch: 4, adding: [], removing: [] }

function live(...ids: number[]): (id: number) => boolean {
  return (id) => ids.includes(id)
}

describe('a leadership', () => {
  it('goes to the first live replica in sync, with the next epoch', () => {
    expect(elect(BASE, live(2, 3))).toMatchObject({ leader: 2, epoch: 5 })
    expect(elect({ ...BASE, isr: [3] }, live(2, 3))).toMatchObject({ leader: 3, epoch: 5 })
    expect(elect(BASE, live(1))).toBe(BASE)
  })

  it('stays with nobody while none in sync lives, unless it may be unclean', () => {
    const last = { ...BASE, isr: [1] }
    expect(elect(last, live(2))).toMatchObject({ leader: -1, isr: [1], epoch: 5 })
    expect(elect(last, live(2), { unclean: true })).toMatchObject({ leader: 2, isr: [2] })
    expect(shrunk(last, (id) => id === 1).isr).toEqual([1])
  })

  it('goes back to the preferred replica only when that is in sync', () => {
    const away = { ...BASE, leader: 3 }
    expect(preferred(away, live(1, 2, 3))).toMatchObject({ leader: 1, epoch: 5 })
    expect(preferred({ ...away, isr: [2, 3] }, live(1, 2, 3))).toMatchObject({ leader: 3, epoch: 4 })
  })

  it('moves when all that are to stay are in sync, and not before', () => {
    const isLive = live(1, 2, 3, 4, 5)
    const moving = reassigned(BASE, [4, 5], isLive)
    expect(moving).toMatchObject({ replicas: [4, 5, 1, 2, 3], adding: [4, 5], removing: [1, 2, 3], leader: 1 })
    const half = expanded(moving, 4, isLive)
    expect(half).toMatchObject({ isr: [1, 2, 3, 4], adding: [4, 5], leader: 1 })
    expect(expanded(half, 5, isLive)).toEqual({
      replicas: [4, 5],
      isr: [4, 5],
      leader: 4,
      epoch: 5,
      adding: [],
      removing: [],
    })
    expect(cancelled(half, isLive)).toEqual(BASE)
    expect(reassigned(half, [1, 2], isLive)).toMatchObject({ replicas: [1, 2], isr: [1, 2], adding: [], removing: [] })
  })
})
