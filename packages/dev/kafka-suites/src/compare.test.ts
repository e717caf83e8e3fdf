import { describe, expect, it } from 'vitest'
import { compare } from './compare.ts'
import { reasonFor } from './differences.ts'
import { goOutcomes } from './go-suite.ts'
import { report } from './report.ts'
import type { Outcome, Suite } from './suite.ts'

const outcomes = (entries: Readonly<Record<string, Outcome>>) => new Map(Object.entries(entries))
const suite = { name: 'client', version: 'v1' } as Suite

describe('compare', () => {
  it('tells what only the other broker passes from what fails on both', () => {
    const ours = outcomes({ A: 'passed', B: 'failed', C: 'failed', D: 'skipped', E: 'failed' })
    const peer = outcomes({ A: 'passed', B: 'passed', C: 'failed', D: 'skipped', E: 'passed' })
    const comparison = compare(ours, peer, (test) => (test === 'B' ? 'on purpose' : undefined))
    expect(comparison).toEqual({
      passed: 1,
      failed: 3,
      skipped: 1,
      passedByPeer: 3,
      differences: [
        { test: 'B', because: 'on purpose' },
        { test: 'E', because: undefined },
      ],
      failedOnBoth: ['C'],
    })
    const { text, isExplained } = report([[suite, comparison]])
    expect(text).toContain('| client v1 | 1 of 4 | 3 of 4 | 1 | 1 | 1 |')
    expect(text).toContain('client E: NOT EXPLAINED')
    expect(isExplained).toBe(false)
  })

  it('counts the innermost tests, and what ran on one broker only as failed on the other', () => {
    const ours = outcomes({ A: 'failed', 'A/one': 'passed' })
    const peer = outcomes({ A: 'passed', 'A/one': 'passed', 'A/two': 'passed' })
    expect(compare(ours, peer, () => undefined)).toMatchObject({
      passed: 1,
      differences: [{ test: 'A/two', because: undefined }],
    })
  })
})

it('report says why a suite was left out, which is nothing to be explained', () => {
  const { text, isExplained } = report([[suite, 'there is no Go']])
  expect(text).toContain('| client v1 | left out: there is no Go |')
  expect(isExplained).toBe(true)
})

it('goOutcomes reads what go test -json prints, tests without an outcome included', () => {
  const lines = [
    '{"Action":"start","Package":"p"}',
    '{"Action":"run","Package":"p","Test":"A"}',
    '{"Action":"output","Package":"p","Test":"A","Output":"=== RUN A\\n"}',
    '{"Action":"pass","Package":"p","Test":"A","Elapsed":0.1}',
    '{"Action":"run","Package":"p","Test":"B/one"}',
    '{"Action":"run","Package":"p","Test":"C"}',
    '{"Action":"skip","Package":"p","Test":"C"}',
    'panic: not JSON',
    '{"Action":"fail","Package":"p"}',
  ]
  expect([...goOutcomes(lines.join('\n'))]).toEqual([
    ['A', 'passed'],
    ['B/one', 'failed'],
    ['C', 'skipped'],
  ])
})

it('a difference is known by its suite and the full name of its test', () => {
  expect(reasonFor('kafka-go', 'TestConn/test_delete_topics')).toMatch(/at once/)
  expect(reasonFor('franz-go', 'TestConn/test_delete_topics')).toBeUndefined()
  expect(reasonFor('kafka-go', 'TestConn')).toBeUndefined()
})
