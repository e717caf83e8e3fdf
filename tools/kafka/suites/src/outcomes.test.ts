import { expect, it } from 'vitest'
import { jestOutcomes } from './clients/kafkajs.ts'
import { reasonFor } from './differences.ts'
import { goOutcomes } from './go-suite.ts'
import { pytestOutcomes } from './python-suite.ts'

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
  const testResults = [
    { name: '/suite/src/admin.spec.js', status: 'failed', assertionResults },
    { name: '/suite/src/broken.spec.js', status: 'failed', assertionResults: [] },
  ]
  const text = JSON.stringify({ testResults })
  expect([...jestOutcomes(text, '/suite')]).toEqual([
    ['src/admin.spec.js: Admin > creates', 'passed'],
    ['src/admin.spec.js: Admin > fails', 'failed'],
    ['src/admin.spec.js: Admin > waits', 'skipped'],
    ['src/broken.spec.js: the file', 'failed'],
  ])
})
