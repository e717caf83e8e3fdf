/**
 * Adds up the test reports of all workspaces: prints `PASSED FAILED`, and on stderr a line for each test that failed. A workspace that
 * has tests and no report counts as one failure, unless `--present` says that only some were run. `--report FILE` counts other reports.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'

interface TestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numFailedTestSuites: number
  readonly testResults: readonly TestFile[]
}

interface TestFile {
  readonly name: string
  readonly status: string
  readonly message: string
  readonly assertionResults: readonly {
    readonly fullName: string
    readonly status: string
    readonly failureMessages: readonly string[]
  }[]
}

const LONGEST_REASON = 600

/** What is above the stack. */
function reason(text = ''): string {
  const lines = text.split('\n')
  const stack = lines.findIndex((line) => /^\s+at /.test(line))
  return lines
    .slice(0, stack < 0 ? undefined : stack)
    .join(' ')
    .slice(0, LONGEST_REASON)
}

function printFailures({ name, status, message, assertionResults }: TestFile) {
  const failures = assertionResults.filter((test) => test.status === 'failed')
  const file = relative(process.cwd(), name)
  for (const { fullName, failureMessages } of failures)
    console.error(`FAILED: ${file} > ${fullName}: ${reason(failureMessages[0])}`)
  if (status === 'failed' && failures.length === 0) console.error(`FAILED: ${file}: ${reason(message)}`)
}

const { values } = parseArgs({ options: { present: { type: 'boolean' }, report: { type: 'string' } } })
const { report: file = 'test-report.json', present = values.report !== undefined } = values
let passed = 0
let failed = 0
const workspaces = globSync('{apps,packages,packages/dev}/*/package.json').map((file) => dirname(file))
for (const workspace of workspaces) {
  if (globSync(join(workspace, '{src,tests}/**/*.test.ts')).length === 0) continue
  try {
    const report: TestReport = JSON.parse(readFileSync(join(workspace, file), 'utf8'))
    passed += report.numPassedTests
    failed += report.numFailedTests || Math.min(report.numFailedTestSuites, 1)
    report.testResults.forEach(printFailures)
  } catch {
    if (present) continue
    failed += 1
    console.error(`FAILED: ${workspace} wrote no test report`)
  }
}
console.log(passed, failed)
