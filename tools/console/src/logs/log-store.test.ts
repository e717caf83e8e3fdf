import { describe, expect, it } from 'vitest'
import { createLogStore } from './log-store.ts'

const line = (fields: object) =>
  JSON.stringify({ level: 'info', time: '2026-01-02T03:04:05.678Z', service: 'a', ...fields })

describe('log store', () => {
  it('keeps 100,000 lines, and finds among them', () => {
    const store = createLogStore()
    for (let id = 1; id <= 100_500; id += 1) store.add(id, line({ msg: `number ${id}` }))
    expect(store.find({}, { limit: 1_000_000 })).toHaveLength(100_000)
    expect(store.find({}, { limit: 1_000_000 })[0]?.id).toBe(501)
    expect(store.find({ text: 'NUMBER 500"' }, { limit: 1 })).toEqual([])
    expect(store.find({ text: 'number 100499' }, { limit: 1 })).toMatchObject([{ id: 100_499, msg: 'number 100499' }])
    expect(store.find({}, { limit: 2, before: 60_000 }).map(({ id }) => id)).toEqual([59_998, 59_999])
    expect(store.after(100_498, {}, 10).map(({ id }) => id)).toEqual([100_499, 100_500])
  })

  it('keeps so many characters, and the newest line whatever its length', () => {
    const store = createLogStore({ maxLines: 1000, maxCharacters: 1000 })
    for (let id = 1; id <= 100; id += 1) store.add(id, line({ msg: 'x'.repeat(100) }))
    expect(store.find({}, { limit: 1000 }).length).toBeLessThan(10)
    store.add(101, line({ msg: 'y'.repeat(5000) }))
    expect(store.find({}, { limit: 1000 }).map(({ id }) => id)).toEqual([101])
  })

  it('finds what was written since a time, also before a line whose clock is wrong', () => {
    const store = createLogStore()
    for (const [index, time] of [1000, 2000, 3000, 0].entries()) store.add(index + 1, line({ time }))
    expect(store.find({ since: 2000 }, { limit: 10 }).map(({ id }) => id)).toEqual([2, 3])
  })

  it.each([
    [10, 'trace'],
    [30, 'info'],
    [60, 'fatal'],
    [35, 'info'],
    ['warn', 'warn'],
    ['loud', 'info'],
    [undefined, 'info'],
    [1e9, 'info'],
  ])('takes level %j for %s', (level, shown) => {
    const store = createLogStore()
    store.add(1, line({ level, msg: 'm' }))
    expect(store.find({}, { limit: 1 })[0]?.level).toBe(shown)
    expect(store.find({ level: 'trace' }, { limit: 1 })).toHaveLength(1)
  })

  it.each([1.7e18, -8.64e15 - 1, '1e400', null])('takes the time of arrival where none can be %j', (time) => {
    const store = createLogStore()
    const before = Date.now()
    store.add(1, line({ time }))
    expect(store.find({ since: before, until: Date.now() + 1 }, { limit: 1 })).toHaveLength(1)
  })

  it('gives others their turn while it counts many lines', async () => {
    const store = createLogStore()
    for (let id = 1; id <= 3; id += 1) store.add(id, line({ msg: 'x'.repeat(1024 * 1024), n: id }))
    const turns: string[] = []
    setImmediate(() => turns.push('of another'))
    const { items } = await store.counts({ excluded: [{ name: 'n', value: '2' }] }, 1)
    expect(turns).toEqual(['of another'])
    expect(items).toMatchObject([{ info: 2 }])
  })

  it('leaves out what is no JSON object, and takes any value in one', () => {
    const store = createLogStore()
    for (const [index, json] of ['', 'text', '1', 'null', '[]', `${'['.repeat(99)}`].entries())
      store.add(index + 1, json)
    expect(store.find({}, { limit: 10 })).toEqual([])
    store.add(9, '{"msg":{"a":1},"time":"never","service":7,"trace_id":{},"__proto__":{"x":1}}')
    expect(store.find({}, { limit: 10 })).toMatchObject([{ id: 9, service: '', level: 'info', msg: '{"a":1}' }])
  })
})
