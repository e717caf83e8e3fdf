import { describe, expect, it } from 'vitest'
import { recordFields } from './recorded-fields.ts'

describe('recordFields', () => {
  it('remembers what is asked of every part, whether it is there or not', () => {
    const object = { spec: { items: [{ a: 1, b: 2 }] } }
    const recorder = recordFields(object)
    const { spec } = recorder.recorded as { spec: { items: { a: number; c?: number }[]; missing?: unknown } }
    expect(spec.missing).toBeUndefined()
    expect(spec.items.map(({ a, c }) => [a, c])).toEqual([[1, undefined]])
    expect(recorder.fieldsAskedOf(object)).toEqual(new Set(['spec']))
    expect(recorder.fieldsAskedOf(object.spec)).toEqual(new Set(['missing', 'items']))
    expect(recorder.fieldsAskedOf(object.spec.items[0] ?? {})).toEqual(new Set(['a', 'c']))
  })

  it('knows of nothing asked of a part that nobody looked at', () => {
    const object = { spec: { a: 1 } }
    expect(recordFields(object).fieldsAskedOf(object.spec)).toEqual(new Set())
  })
})
