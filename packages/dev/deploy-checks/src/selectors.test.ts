import { describe, expect, it } from 'vitest'
import { type LabelSelector, selects } from './selectors.ts'

const labels = { app: 'claim-api', tier: 'front' }

describe('selects', () => {
  it.each<[selector: LabelSelector, isSelected: boolean]>([
    [{}, true],
    [{ matchLabels: { app: 'claim-api' } }, true],
    [{ matchLabels: { app: 'claim-api', tier: 'back' } }, false],
    [{ matchExpressions: [{ key: 'app', operator: 'In', values: ['movie-api', 'claim-api'] }] }, true],
    [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }, false],
    [{ matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['claim-api'] }] }, false],
    [{ matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['a'] }] }, true],
    [{ matchExpressions: [{ key: 'tier', operator: 'Exists' }] }, true],
    [{ matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] }, false],
    [{ matchLabels: { app: 'claim-api' }, matchExpressions: [{ key: 'zone', operator: 'Exists' }] }, false],
  ])('%j: %s', (selector, isSelected) => {
    expect(selects(selector, labels)).toBe(isSelected)
  })

  it('refuses an operator that it does not know', () => {
    expect(() => selects({ matchExpressions: [{ key: 'app', operator: 'Gt', values: ['1'] }] }, labels)).toThrow(
      RangeError,
    )
  })
})
