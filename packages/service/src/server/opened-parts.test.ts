import { describe, expect, it } from 'vitest'
import { OpenedParts } from './opened-parts.ts'

const closes = (name: string, closed: string[], error?: Error) => ({
  [Symbol.dispose]() {
    closed.push(name)
    if (error !== undefined) throw error
  },
})

describe('opened parts', () => {
  it('are closed once, the last one first', async () => {
    const closed: string[] = []
    const opened = new OpenedParts()
    opened.use(closes('first', closed))
    opened.defer(() => void closed.push('second'))
    opened.use({ [Symbol.asyncDispose]: async () => void closed.push('third') })
    await opened[Symbol.asyncDispose]()
    await opened[Symbol.asyncDispose]()
    expect(closed).toEqual(['third', 'second', 'first'])
  })

  it('are all closed when one fails, whose error is told', async () => {
    const closed: string[] = []
    const opened = new OpenedParts()
    opened.use(closes('first', closed))
    opened.use(closes('second', closed, new Error('stuck')))
    opened.use(closes('third', closed))
    await expect(opened[Symbol.asyncDispose]()).rejects.toThrow('stuck')
    expect(closed).toEqual(['third', 'second', 'first'])
  })

  it('belong to the one they were moved to', async () => {
    const closed: string[] = []
    const opened = new OpenedParts()
    opened.use(closes('first', closed))
    const moved = opened.move()
    await opened[Symbol.asyncDispose]()
    expect(closed).toEqual([])
    await moved[Symbol.asyncDispose]()
    expect(closed).toEqual(['first'])
  })
})
