import { describe, expect, it } from 'vitest'
import { type LabelSelector, selects } from './selectors.ts'

const labels = { app: 'claim-api', tier: 'front' }

describe('selects', () => {
  it.each<[selector: LabelSelector, isSelected: boolean]>([
    [{}, true],
    [{ matchLabels: { app: 'claim-api' } }, true],
    [{ matchLabels: { app: 'claim-api', tier: 'back' } }, false],
    [{ matchLabels: { zone: 'a' } }, false],
  ])('%j: %s', (selector, isSelected) => {
    expect(selects(selector, labels)).toBe(isSelected)
  })

  it('refuses a selector that it would not understand', () => {
    const matchExpressions = [{ key: 'app', operator: 'In', values: ['claim-api'] }]
    expect(() => selects({ matchExpressions }, labels)).toThrow(RangeError)
  })
})
