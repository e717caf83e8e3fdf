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

  it.each<[string, (length: number) => string]>([
    ['blanks', (length) => `a${' '.repeat(length)}x y`],
    ['blanks after an equals sign', (length) => `a=${' '.repeat(length)}@`],
    ['commas', (length) => `a${','.repeat(length)}`],
    ['commas after a parenthesis', (length) => `a(${','.repeat(length)}`],
  ])('of many %s takes time in proportion to its length', (_case, hostile) => {
    const fastestMs = (length: number) => {
      const selector = hostile(length)
      const runs = Array.from({ length: 9 }, () => {
        const startedAt = performance.now()
        try {
          select(selector, {})
        } catch {
          // Most of these are refused; how soon is what counts.
        }
        return performance.now() - startedAt
      })
      return Math.min(...runs)
    }
    const few = fastestMs(4000)
    expect(fastestMs(32_000)).toBeLessThan(few * 24 + 5)
  })
})
