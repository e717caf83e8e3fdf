import { describe, expect, it } from 'vitest'
import { type EnvironmentLayer, environmentOf, originOf } from './environment.ts'

const layers: readonly EnvironmentLayer[] = [
  { from: 'environment', variables: { A: 'caller', B: 'caller', C: 'caller', E: 'caller' } },
  { from: 'start', variables: { B: 'start', C: 'caller', D: 'start', E: '' } },
  { from: 'system', variables: { D: 'system' } },
]

describe('the environment of a process', () => {
  it('has the last value of each variable', () => {
    expect(environmentOf(layers)).toEqual({ A: 'caller', B: 'start', C: 'caller', D: 'system', E: '' })
  })

  it.each([
    ['A', 'environment'],
    ['B', 'start'],
    ['C', 'environment'],
    ['D', 'system'],
    ['E', undefined],
    ['F', undefined],
  ])('%s is from %s: who gave it the value that it has', (name, from) => {
    expect(originOf(name, layers)).toBe(from)
  })
})
