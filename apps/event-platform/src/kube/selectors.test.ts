import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../resources/object.ts'
import { parseSelectors } from './selectors.ts'

function select(labelSelector: string, labels: Readonly<Record<string, string>>): boolean {
  const object = { metadata: { name: 'n', namespace: 'default', labels } } as unknown as KubeObject
  return parseSelectors({ labelSelector })(object)
}

describe('a label selector', () => {
  it.each<[string, boolean]>([
    ['a=1', true],
    ['a  ==  1 , b', true],
    ['a!=1', false],
    ['!c,a in ( 1 ,2 ),b notin (3,4)', true],
    ['a   notin (1,2)', false],
    ['', true],
    [' , ', true],
  ])('%j meets a=1 and b=2: %j', (selector, isMet) => {
    expect(select(selector, { a: '1', b: '2' })).toBe(isMet)
  })

  it.each(['a(b', 'a in (1', 'a b', '!', 'a in (1),(2'])('%j is refused', (selector) => {
    expect(() => select(selector, {})).toThrow('unable to parse label selector')
  })

  it.each<[string, string]>([
    ['blanks', `a${' '.repeat(8000)}x y`],
    ['blanks after an equals sign', `a=${' '.repeat(8000)}@`],
    ['commas after a parenthesis', `a(${','.repeat(8000)}`],
  ])('of many %s is refused', (_case, hostile) => {
    expect(() => select(hostile, {})).toThrow('unable to parse label selector')
  })

  it('has no more characters than the head of a request', () => {
    expect(() => select(','.repeat(16_385), {})).toThrow('more than 16384 characters')
  })

  it('has no more than 100 requirements, however many commas', () => {
    expect(select(`a${','.repeat(8000)}`, { a: '1' })).toBe(true)
    expect(select('a,'.repeat(100), { a: '1' })).toBe(true)
    expect(() => select('a,'.repeat(101), { a: '1' })).toThrow('more than 100 requirements')
  })

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('looks for %s among the labels only', (key) => {
    expect(select(key, { a: '1' })).toBe(false)
    expect(select(`!${key}`, { a: '1' })).toBe(true)
    expect(select(`${key} in (a)`, {})).toBe(false)
  })
})

describe('a field selector', () => {
  const select = (fieldSelector: string) =>
    parseSelectors({ fieldSelector })({ metadata: { name: 'n', namespace: 'default' } } as unknown as KubeObject)

  it.each<[string, boolean]>([
    ['metadata.name=n', true],
    ['metadata.name == n , metadata.namespace!=default', false],
    ['', true],
  ])('%j meets n in default: %j', (selector, isMet) => {
    expect(select(selector)).toBe(isMet)
  })

  it.each(['spec.broker=x', 'metadata.name', '__proto__=1', 'metadata.name>n', `metadata.name${' '.repeat(8000)}n`])(
    'is refused: %j',
    (selector) => {
      expect(() => select(selector)).toThrow('field selector not supported')
    },
  )
})
