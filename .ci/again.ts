/**
 * `again.ts FLAKY KIND…`: runs the test files that failed once more, each alone, unless more than two did. Tests that pass now are named in
 * the file FLAKY, and count as passed in the report of their workspace. Fails while a test does.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, globSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { readReport, reportFile, type TestReport } from '../tools/testkit/src/report/test-report.ts'

const MOST_FILES = 2
const [flaky = '', ...kinds] = process.argv.slice(2)

const failed = kinds.flatMap((kind) =>
  globSync(`{apps,packages,tools,tools/kafka}/*/${reportFile(kind)}`).flatMap((path) => {
    const files = readReport(path)?.failed.map(({ file }) => file) ?? []
    return [...new Set(files)].map((file) => ({ kind, path, file }))
  }),
)
const isTooMuch = failed.length === 0 || failed.length > MOST_FILES
if (isTooMuch) console.log(`${failed.length} test files failed: none is run again`)
process.exitCode = isTooMuch || !failed.every(passesAlone) ? 1 : 0

function passesAlone({ kind, path, file }: { kind: string; path: string; file: string }): boolean {
  const before = readReport(path)
  const workspace = dirname(path)
  const { status } = spawnSync('pnpm', ['-s', '--filter', `./${workspace}`, 'run', kind, relative(workspace, file)], {
    stdio: 'inherit',
  })
  const after = readReport(path)
  if (before === undefined || after === undefined) return false
  const isGreen = status === 0 && after.failed.length === 0 && after.passed > 0
  writeFileSync(path, JSON.stringify(isGreen ? withPassed(before, file) : before))
  return isGreen
}

function withPassed(report: TestReport, file: string): TestReport {
  const tests = report.failed.filter((test) => test.file === file)
  for (const { test } of tests) appendFileSync(flaky, `flaky: ${[file, test].filter(Boolean).join(' > ')}\n`)
  const failed = report.failed.filter((test) => test.file !== file)
  return { ...report, failed, passed: report.passed + tests.length }
}
