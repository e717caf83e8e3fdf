import { parseServiceLine } from '@taproom/core/lines'
import { describe, expect, it } from 'vitest'
import { createRecentLines } from './recent-lines.ts'

const line = (text: string) => parseServiceLine('a', 'stdout', JSON.stringify({ msg: text }))

describe('recent lines', () => {
  it('are numbered, and kept so many of so many characters', () => {
    const recent = createRecentLines({ maxLines: 3, maxCharacters: 100 })
    for (let count = 1; count <= 20; count += 1) recent.write(line(`${count}`))
    expect(recent.after(0).map(({ id }) => id)).toEqual([18, 19, 20])
    expect(recent.after(19)).toEqual([{ id: 20, json: '{"service":"a","msg":"20"}' }])
    expect(recent.after(20)).toEqual([])
    recent.write(line('x'.repeat(60)))
    expect(recent.after(0).map(({ id }) => id)).toEqual([21])
    recent.write(line('y'.repeat(500)))
    expect(recent.after(0).map(({ id }) => id)).toEqual([22])
  })

  it('go to who follows, until that is disposed of', () => {
    const recent = createRecentLines()
    const got: number[] = []
    const following = recent.follow(({ id }) => got.push(id))
    recent.write(line('one'))
    following[Symbol.dispose]()
    recent.write(line('two'))
    expect(got).toEqual([1])
  })
})
