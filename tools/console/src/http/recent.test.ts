import { describe, expect, it } from 'vitest'
import { recent } from './recent.ts'

/** Reads whose answers come when they are given. */
function reads() {
  const clock = { ms: 0 }
  const asked: PromiseWithResolvers<string>[] = []
  const ask = (): Promise<string> => {
    const one = Promise.withResolvers<string>()
    asked.push(one)
    return one.promise
  }
  return { clock, asked, ...recent(100, ask, () => clock.ms) }
}

describe('recent', () => {
  it('reads once for all who ask while the read is under way, however long it takes', async () => {
    const { clock, asked, read } = reads()
    const first = read()
    clock.ms = 1000
    const second = read(0)
    asked[0]?.resolve('one')
    expect(await Promise.all([first, second])).toEqual(['one', 'one'])
    expect(asked).toHaveLength(1)
  })

  it('keeps the answer from when it came', async () => {
    const { clock, asked, read } = reads()
    const first = read()
    clock.ms = 1000
    asked[0]?.resolve('one')
    await first
    clock.ms = 1100
    expect(await read()).toBe('one')
    void read(99)
    expect(asked).toHaveLength(2)
  })

  it('reads again after a read that rejected', async () => {
    const { asked, read } = reads()
    const first = read()
    asked[0]?.reject(new Error('away'))
    await expect(first).rejects.toThrow('away')
    void read()
    expect(asked).toHaveLength(2)
  })

  it('reads again when it is to forget, and keeps the newer answer', async () => {
    const { asked, read, forget } = reads()
    const first = read()
    forget()
    const second = read()
    asked[1]?.resolve('two')
    asked[0]?.reject(new Error('away'))
    await expect(first).rejects.toThrow('away')
    expect(await second).toBe('two')
    expect(await read()).toBe('two')
  })
})
