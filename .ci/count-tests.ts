/**
 * Adds up the test reports of all workspaces: prints `PASSED FAILED`. A workspace that has tests and no report counts as one failure,
 * unless `--present` says that only some were run.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface TestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numFailedTestSuites: number
}

let passed = 0
let failed = 0
const workspaces = globSync('{apps,packages}/*/package.json').map((file) => dirname(file))
for (const workspace of workspaces) {
  if (globSync(join(workspace, '{src,tests}/**/*.test.ts')).length === 0) continue
  try {
    const report: TestReport = JSON.parse(readFileSync(join(workspace, 'test-report.json'), 'utf8'))
    passed += report.numPassedTests
    failed += report.numFailedTests || Math.min(report.numFailedTestSuites, 1)
  } catch {
    if (!process.argv.includes('--present')) failed += 1
  }
}
console.log(passed, failed)
