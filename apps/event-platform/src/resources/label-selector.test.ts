import { expect, it } from 'vitest'
import { readFields } from './field-reader.ts'
import { readLabelSelector } from './label-selector.ts'

const read = (selector: object) => readFields('it', selector, readLabelSelector)
const labels = { app: 'beer', tier: 'front' }

it.each([
  ['no requirement', {}, true],
  ['labels', { matchLabels: { app: 'beer', tier: 'front' } }, true],
  ['other labels', { matchLabels: { app: 'beer', tier: 'back' } }, false],
  ['In', { matchExpressions: [{ key: 'app', operator: 'In', values: ['wine', 'beer'] }] }, true],
  ['In, without the label', { matchExpressions: [{ key: 'x', operator: 'In', values: ['undefined'] }] }, false],
  ['NotIn', { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['beer'] }] }, false],
  ['NotIn, without the label', { matchExpressions: [{ key: 'x', operator: 'NotIn', values: ['beer'] }] }, true],
  ['Exists', { matchExpressions: [{ key: 'app', operator: 'Exists' }] }, true],
  ['DoesNotExist', { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }, false],
  [
    'Exists, by a name that all objects inherit',
    { matchExpressions: [{ key: 'constructor', operator: 'Exists' }] },
    false,
  ],
  ['DoesNotExist, likewise', { matchExpressions: [{ key: 'constructor', operator: 'DoesNotExist' }] }, true],
  ['all of them', { matchLabels: { app: 'beer' }, matchExpressions: [{ key: 'x', operator: 'Exists' }] }, false],
])('decisions 3.48: a selector with %s', (_case, selector, isMatch) => {
  expect(read(selector)(labels)).toBe(isMatch)
})

it('has at most 100 requirements', () => {
  const matchLabels = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`l${index}`, 'x']))
  expect(() => read({ matchLabels })).toThrow('more than 100 requirements')
})
