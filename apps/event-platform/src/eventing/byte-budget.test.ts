import { describe, expect, it } from 'vitest'
import { ByteBudget } from './byte-budget.ts'
import { EventRefusedError } from './errors.ts'

describe('byteBudget', () => {
  it('holds no more than its limit, over all that hold, and has room again when they are done', () => {
    const budget = new ByteBudget(10)
    const one = budget.hold({ bytes: 2, announced: 6 })
    one.add(4)
    const two = budget.hold({ bytes: 1, announced: 4 })
    two.add(3)
    expect(() => two.add(1)).toThrow(EventRefusedError)
    expect(() => budget.hold({ bytes: 1, announced: 1 })).toThrow(EventRefusedError)
    one[Symbol.dispose]()
    one[Symbol.dispose]()
    two.add(6)
    expect(() => budget.hold({ bytes: 0, announced: 1 })).toThrow(EventRefusedError)
    two[Symbol.dispose]()
    budget.hold({ bytes: 10, announced: 10 })
  })

  it('refuses at once what is announced to be too much, and holds nothing of it', () => {
    const budget = new ByteBudget(10)
    expect(() => budget.hold({ bytes: 1, announced: 11 })).toThrow(EventRefusedError)
    budget.hold({ bytes: 10, announced: 10 })
  })
})
