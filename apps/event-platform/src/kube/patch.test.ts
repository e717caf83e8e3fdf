import { describe, expect, it } from 'vitest'
import { jsonPatch, mergePatch } from './patch.ts'

const add = (path: string, value: unknown) => ({ op: 'add', path, value })

describe('a JSON patch', () => {
  const additions = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ op: 'add', path: `/metadata/labels/l${i}`, value: 'x' }))
  const target = { metadata: { name: 'n', labels: {} } }

  it('has up to 1000 operations, each of which may copy what those before have made', () => {
    const { metadata } = jsonPatch(target, additions(1000)) as typeof target
    expect(Object.keys(metadata.labels)).toHaveLength(1000)
    expect(() => jsonPatch(target, additions(1001))).toThrow(
      expect.objectContaining({ reason: 'RequestEntityTooLarge', status: 413 }),
    )
  })

  it('leaves its target as it is', () => {
    jsonPatch(target, [{ op: 'add', path: '/metadata/labels/a', value: 'x' }])
    expect(target).toEqual({ metadata: { name: 'n', labels: {} } })
  })

  it.each<[string, object[], unknown]>([
    ['adds to a list, at its end and within', [add('/l/-', 3), add('/l/0', 0)], { l: [0, 1, 2, 3] }],
    ['removes from a list', [{ op: 'remove', path: '/l/0' }], { l: [2] }],
    ['replaces everything', [{ op: 'replace', path: '', value: { a: 1 } }], { a: 1 }],
    ['reads ~1 and ~0', [add('/a~1b', 1), add('/a~0b', 2)], { l: [1, 2], 'a/b': 1, 'a~b': 2 }],
    ['adds a member called constructor', [add('/constructor', 1)], { l: [1, 2], constructor: 1 }],
  ])('%s', (_case, operations, expected) => {
    expect(jsonPatch({ l: [1, 2] }, operations)).toEqual(expected)
  })

  it.each<[string, object, number]>([
    ['a member of a member every object has', add('/constructor/prototype/polluted', 1), 422],
    ['the prototype', add('/__proto__/polluted', 1), 400],
    ['a member called __proto__', add('/__proto__', {}), 400],
    ['a member of a text', add('/t/x', 1), 422],
    ['past the end of a list', add('/l/3', 1), 422],
    ['an index that is none', add('/l/01', 1), 422],
    ['an index below zero', add('/l/-1', 1), 422],
    ['the end of a list, for removal', { op: 'remove', path: '/l/-' }, 422],
    ['a member of a list', { op: 'remove', path: '/l/length' }, 422],
    ['a member that is not there', { op: 'replace', path: '/x', value: 1 }, 422],
    ['a path without end', add('/a'.repeat(500_000), 1), 400],
    ['a path that is no pointer', add('l', 1), 400],
    ['no path', { op: 'add', value: 1 }, 400],
    ['no value', { op: 'add', path: '/x' }, 400],
    ['a test of what is not there', { op: 'test', path: '/toString', value: null }, 422],
    ['an operation there is not', { op: { toString: 1 }, path: '/x' }, 400],
    ['a copy', { op: 'copy', from: '/l', path: '/x' }, 400],
  ])('is refused for %s', (_case, operation, status) => {
    expect(() => jsonPatch({ l: [1, 2], t: 'text' }, [operation])).toThrow(expect.objectContaining({ status }))
    expect({}).not.toHaveProperty('polluted')
  })
})

describe('a merge patch', () => {
  it('reaches no prototype', () => {
    const patched = mergePatch(
      { a: {} },
      JSON.parse('{"__proto__":{"polluted":1},"a":{"constructor":{"prototype":{"polluted":1}}}}'),
    )
    expect(Object.getPrototypeOf(patched)).toBe(Object.prototype)
    expect({}).not.toHaveProperty('polluted')
  })
})
