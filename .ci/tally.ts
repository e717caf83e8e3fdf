/**
 * The findings of the parts of `.ci/run`, in a folder that they share.
 *
 * `tally.ts add FOLDER FILE…`: adds test reports, and removes them. `tally.ts end FOLDER`: prints failed, flaky and skipped tests, results
 * and what was left out; the last line is `N passed, N failed`. Fails where a test failed, or where a part of `.ci/required-parts` was left
 * out.
 */
import { appendFileSync, existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { NEEDS } from '../tools/testkit/src/report/needs.ts'
import { addUp, summaryLines } from '../tools/testkit/src/report/summary.ts'
import { readReport, type TestReport } from '../tools/testkit/src/report/test-report.ts'

const [command, folder = '', ...files] = process.argv.slice(2)
const REQUIRED = join(import.meta.dirname, 'required-parts')

if (command === 'add') add()
else end()

function add(): void {
  for (const file of files.flatMap((pattern) => globSync(pattern))) {
    const report = readReport(file)
    rmSync(file)
    if (report !== undefined) appendFileSync(join(folder, 'reports'), `${JSON.stringify(report)}\n`)
  }
}

function end(): void {
  const totals = addUp(lines('reports').map((line): TestReport => JSON.parse(line)))
  const leftOut = lines('left-out')
  const isLeftOut = (name: string) => {
    const need = NEEDS.find((each) => each.name === name)
    const isSkipped = need !== undefined && Object.keys(totals.skipped).some((key) => key.includes(need.description))
    return isSkipped || leftOut.some((line) => line.startsWith(`${name}:`))
  }
  const missing = readFileSync(REQUIRED, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#') && isLeftOut(line))
  const parts = lines('failed-parts')
  for (const line of [...lines('flaky'), ...lines('results')]) console.log(line)
  for (const line of summaryLines(totals, leftOut).slice(0, -1)) console.log(line)
  for (const name of missing) console.log(`FAILED: ${name} was left out, and .ci/required-parts names it`)
  for (const name of parts) console.log(`FAILED: ${name}`)
  const failed = totals.failed.length + missing.length
  console.log(`${totals.passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 && parts.length === 0 && totals.passed > 0 ? 0 : 1
}

function lines(name: string): string[] {
  const path = join(folder, name)
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
}
