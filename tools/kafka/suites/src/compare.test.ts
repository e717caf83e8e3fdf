import { describe, expect, it } from 'vitest'
import { type Comparison, compare } from './compare.ts'
import { type Entry, report, withResults } from './report.ts'
import type { Outcome, Suite } from './suite.ts'

const outcomes = (entries: Readonly<Record<string, Outcome>>) => new Map(Object.entries(entries))
const DATE = '2026-11-29'
const suite = { name: 'client', version: 'v1' } as Suite
const result = (comparison: Comparison, withoutPeer?: string) => ({ comparison, withoutPeer })
const never = { reasonFor: () => undefined }

describe('decisions 3.87: compare', () => {
  it('separates what only the other broker passes from what fails on both', () => {
    const ours = outcomes({ A: 'passed', B: 'failed', C: 'failed', D: 'skipped', E: 'failed' })
    const peer = outcomes({ A: 'passed', B: 'passed', C: 'failed', D: 'skipped', E: 'passed' })
    const comparison = compare(ours, peer, { reasonFor: (test) => (test === 'B' ? 'on purpose' : undefined) })
    expect(comparison).toEqual({
      ours: { passed: 1, of: 4 },
      peer: { passed: 3, of: 4 },
      skipped: 1,
      differences: [
        { test: 'B', ours: 'failed', because: 'on purpose' },
        { test: 'E', ours: 'failed', because: undefined },
      ],
      failedOnBoth: ['C'],
      passedByUs: [],
      notComparable: [],
      gone: [],
    })
    const { text, isGood } = report([[suite, result(comparison)]], DATE)
    expect(text).toContain('| client v1 | 1 of 4 | 3 of 4 | 1 | 1 | 1 | 1 | 0 | 2026-11-29 |')
    expect(text).toContain('client E: failed: NOT EXPLAINED')
    expect(isGood).toBe(false)
  })

  it('a test that is skipped here or not reached, and passes on the other broker, is a difference', () => {
    const peer = outcomes({ A: 'passed', B: 'passed', C: 'skipped' })
    const comparison = compare(outcomes({ A: 'skipped', C: 'failed' }), peer, never)
    expect(comparison).toMatchObject({
      ours: { passed: 0, of: 2 },
      peer: { passed: 2, of: 2 },
      differences: [
        { test: 'A', ours: 'skipped' },
        { test: 'B', ours: 'not reached' },
        { test: 'C', ours: 'failed' },
      ],
    })
    expect(report([[suite, result(comparison)]], DATE).isGood).toBe(false)
  })

  it('a test that the other broker did not reach is not comparable, and the run is not good', () => {
    const ours = outcomes({ A: 'passed', B: 'passed', C: 'failed' })
    const comparison = compare(ours, outcomes({ A: 'passed' }), never)
    expect(comparison).toMatchObject({ notComparable: ['B', 'C'], differences: [], failedOnBoth: [] })
    const { text, isGood } = report([[suite, result(comparison)]], DATE)
    expect(text).toContain('client B: not comparable, Apache Kafka did not reach it')
    expect(isGood).toBe(false)
  })

  it('a test that a crash kept from both brokers is not comparable', () => {
    const both = outcomes({ A: 'failed' })
    const comparison = compare(both, both, { ...never, expected: ['A', 'B'] })
    expect(comparison).toMatchObject({ failedOnBoth: ['A'], notComparable: ['B'], ours: { passed: 0, of: 2 } })
    expect(report([[suite, result(comparison)]], DATE).isGood).toBe(false)
  })

  it('of tests that fail on the other broker, lists those that were not reached here, and none that were skipped', () => {
    const comparison = compare(outcomes({ A: 'skipped' }), outcomes({ A: 'failed', B: 'failed' }), never)
    const none = { differences: [], passedByUs: [], notComparable: [] }
    expect(comparison).toMatchObject({ ours: { passed: 0, of: 1 }, skipped: 1, failedOnBoth: ['B'], ...none })
    expect(report([[suite, result(comparison)]], DATE).isGood).toBe(true)
  })

  it('counts the innermost tests', () => {
    const ours = outcomes({ A: 'failed', 'A/one': 'passed', 'A/two': 'failed' })
    const peer = outcomes({ A: 'passed', 'A/one': 'passed', 'A/two': 'passed' })
    const comparison = compare(ours, peer, never)
    expect(comparison.peer).toEqual({ passed: 2, of: 2 })
    expect(comparison.differences).toEqual([{ test: 'A/two', ours: 'failed', because: undefined }])
  })

  it('a test that fails by itself counts, though the tests in it pass', () => {
    const ours = outcomes({ A: 'failed', 'A/one': 'passed' })
    const peer = outcomes({ A: 'passed', 'A/one': 'passed' })
    expect(compare(ours, peer, never)).toMatchObject({
      ours: { passed: 1, of: 2 },
      differences: [{ test: 'A', ours: 'failed' }],
    })
    expect(compare(peer, ours, never)).toMatchObject({ ours: { passed: 2, of: 2 }, passedByUs: ['A'] })
  })
})

describe('report', () => {
  it('says what only embedded-kafka passes, and what is explained in vain', () => {
    const comparison = compare(outcomes({ A: 'passed' }), outcomes({ A: 'failed' }), {
      reasonFor: () => 'it once failed',
    })
    expect(comparison).toMatchObject({ passedByUs: ['A'], gone: ['A'], differences: [] })
    const { text, isGood } = report([[suite, result(comparison)]], DATE)
    expect(text).toContain('client A: passes on embedded-kafka only')
    expect(text).toContain('client A: explained, but passes')
    expect(isGood).toBe(true)
  })

  it('shows embedded-kafka without Apache Kafka, and is not good then', () => {
    const comparison = compare(outcomes({ A: 'passed' }), new Map(), never)
    const { text, isGood } = report([[suite, result(comparison, 'there is no java')]], DATE)
    expect(text).toContain('| client v1 | 1 of 1 | did not run | 0 | 0 | 0 | 0 | 1 | 2026-11-29 |')
    expect(text).toContain('client not comparable, it did not run on Apache Kafka: there is no java')
    expect(text).not.toContain('client A')
    expect(isGood).toBe(false)
  })

  it('says why a suite did not run at all, and is not good then', () => {
    const { text, isGood } = report([[suite, 'there is no go']], DATE)
    expect(text).toContain('| client v1 | did not run: there is no go |')
    expect(isGood).toBe(false)
  })
})

it('withResults changes the rows of suites that ran on both, in the order of their names', () => {
  const comparison = compare(outcomes({ A: 'passed' }), outcomes({ A: 'passed' }), never)
  const other = { name: 'other', version: 'v2' } as Suite
  const empty = 'a\n<!-- generated: results -->\n<!-- end of generated -->\nb'
  const names = ['client', 'other']
  const first = withResults(empty, [[other, result(comparison)]], { names, date: DATE })
  const entries: Entry[] = [
    [suite, result(comparison)],
    [other, 'there is no go'],
  ]
  const second = withResults(first, entries, { names, date: '2026-12-01' })
  const third = withResults(second, [[other, result(comparison, 'there is no java')]], { names, date: '2026-12-02' })
  const rows = third.split('\n').filter((line) => line.startsWith('| '))
  expect(rows.slice(2)).toEqual([
    '| client v1 | 1 of 1 | 1 of 1 | 0 | 0 | 0 | 0 | 0 | 2026-12-01 |',
    '| other v2 | 1 of 1 | 1 of 1 | 0 | 0 | 0 | 0 | 0 | 2026-11-29 |',
  ])
  expect(third).toMatch(/^a\n.*\nb$/s)
})
