import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../resources/object.ts'
import { type ConditionState, isReady, readyState, TRUE, withReady } from './conditions.ts'

const FALSE: ConditionState = { status: 'False', reason: 'NotYet', message: 'Not yet.' }
const UNKNOWN: ConditionState = { status: 'Unknown', reason: 'Checking', message: 'Being checked.' }
const object: KubeObject = { apiVersion: 'v1', kind: 'Trigger', metadata: { name: 'one' } }

describe('conditions', () => {
  it('are Ready when all are True, not when one is False, and unknown otherwise', () => {
    expect(readyState({ A: TRUE, B: TRUE })).toEqual(TRUE)
    expect(readyState({ A: UNKNOWN, B: FALSE })).toEqual(FALSE)
    expect(readyState({ A: TRUE, B: UNKNOWN })).toEqual(UNKNOWN)
  })

  it('keep the time of their last transition', () => {
    const first = withReady(object, { A: FALSE }, new Date('2026-01-01T00:00:00Z'))
    const before = { ...object, status: first }
    const { conditions } = withReady(before, { A: FALSE }, new Date('2026-01-01T00:01:00Z'))
    expect(conditions[0]?.['lastTransitionTime']).toBe('2026-01-01T00:00:00Z')
    const after = withReady(before, { A: TRUE }, new Date('2026-01-01T00:02:00Z'))
    expect(after.conditions.map((condition) => condition['lastTransitionTime'])).toEqual([
      '2026-01-01T00:02:00Z',
      '2026-01-01T00:02:00Z',
    ])
    expect(isReady(before)).toBe(false)
    expect(isReady({ ...object, status: after })).toBe(true)
  })
})
