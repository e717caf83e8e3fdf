import { describe, expect, it } from 'vitest'
import { jestOutcomes } from './clients/kafkajs.ts'
import { compare } from './compare.ts'
import { reasonFor } from './differences.ts'
import { goOutcomes } from './go-suite.ts'
import { pytestOutcomes } from './python-suite.ts'
import { report, withResults } from './report.ts'
import type { Outcome, Suite } from './suite.ts'

const outcomes = (entries: Readonly<Record<string, Outcome>>) => new Map(Object.entries(entries))
const suite = { name: 'client', version: 'v1' } as Suite

describe('decisions 3.87: compare', () => {
  it('separates what only the other broker passes from what fails on both', () => {
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
      passedByUs: [],
      gone: [],
    })
    const { text, isExplained } = report([[suite, comparison]])
    expect(text).toContain('| client v1 | 1 of 4 | 3 of 4 | 1 | 1 | 1 | 1 |')
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

it('compare and report tell what only embedded-kafka passes, and what is explained in vain', () => {
  const comparison = compare(outcomes({ A: 'passed' }), outcomes({ A: 'failed' }), () => 'it once failed')
  expect(comparison).toMatchObject({ passedByUs: ['A'], gone: ['A'], differences: [] })
  const { text } = report([[suite, comparison]])
  expect(text).toContain('client A: passes on embedded-kafka only')
  expect(text).toContain('client A: explained, but passes')
})

it('withResults changes the rows of suites that ran, in the order of their names', () => {
  const comparison = compare(outcomes({ A: 'passed' }), outcomes({ A: 'passed' }), () => undefined)
  const other = { name: 'other', version: 'v2' } as Suite
  const first = withResults(
    'a\n<!-- generated: results -->\n<!-- end of generated -->\nb',
    [[other, comparison]],
    ['client', 'other'],
  )
  const second = withResults(
    first,
    [
      [suite, comparison],
      [other, 'there is no Go'],
    ],
    ['client', 'other'],
  )
  const rows = second
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
  expect(rows).toEqual([
    '| client v1 | 1 of 1 | 1 of 1 | 0 | 0 | 0 | 0 |',
    '| other v2 | 1 of 1 | 1 of 1 | 0 | 0 | 0 | 0 |',
  ])
  expect(second).toMatch(/^a\n.*\nb$/s)
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

it('pytestOutcomes reads what pytest -v printed; a test that cannot be torn down has failed', () => {
  const lines = [
    'tests/test_a.py::TestA::test_b PASSED                 [ 10%]',
    'tests/test_a.py::TestA::test_c[x-1] FAILED            [ 20%]',
    'tests/test_a.py::TestA::test_d SKIPPED (no broker)    [ 30%]',
    'tests/test_a.py::TestA::test_e PASSED                 [ 40%]',
    'tests/test_a.py::TestA::test_e ERROR                  [ 40%]',
    'tests/test_a.py::TestA::test_f ',
    '=== warnings summary ===',
    'tests/test_a.py::TestA::test_b',
  ]
  expect([...pytestOutcomes(lines.join('\n'))]).toEqual([
    ['tests/test_a.py::TestA::test_b', 'passed'],
    ['tests/test_a.py::TestA::test_c[x-1]', 'failed'],
    ['tests/test_a.py::TestA::test_d', 'skipped'],
    ['tests/test_a.py::TestA::test_e', 'failed'],
    ['tests/test_a.py::TestA::test_f', 'failed'],
  ])
})

it('jestOutcomes reads what jest --json reports, by file and name', () => {
  const assertionResults = [
    { fullName: 'Admin > creates', status: 'passed' },
    { fullName: 'Admin > fails', status: 'failed' },
    { fullName: 'Admin > waits', status: 'pending' },
  ]
  const text = JSON.stringify({ testResults: [{ name: '/suite/src/admin.spec.js', assertionResults }] })
  expect([...jestOutcomes(text, '/suite')]).toEqual([
    ['src/admin.spec.js: Admin > creates', 'passed'],
    ['src/admin.spec.js: Admin > fails', 'failed'],
    ['src/admin.spec.js: Admin > waits', 'skipped'],
  ])
})
