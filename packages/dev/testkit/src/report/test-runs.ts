import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readReport, reportFile, type TestKind, type TestReport } from './test-report.ts'

/** A workspace that has tests of a kind, and the report of their last run, if there is one. */
export interface TestRun {
  /** Such as `start test:system`. */
  readonly name: string
  /** Of the workspace, relative to the root of the repository. */
  readonly folder: string
  readonly kind: TestKind
  readonly report: TestReport | undefined
}

export function readRuns(root: string, kinds: readonly TestKind[]): TestRun[] {
  const folders = globSync('{apps,packages,packages/dev}/*/package.json', { cwd: root }).map((path) => dirname(path))
  return kinds.flatMap((kind) =>
    folders
      .toSorted()
      .filter((folder) => kind in scriptsOf(join(root, folder)))
      .map((folder) => {
        const report = readReport(join(root, folder, reportFile(kind)))
        return { name: `${basename(folder)} ${kind}`, folder, kind, report }
      }),
  )
}

function scriptsOf(folder: string): object {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts ?? {}
}
