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
  /** As turbo calls it. */
  readonly task: string
  readonly report: TestReport | undefined
}

export function readRuns(root: string, kinds: readonly TestKind[]): TestRun[] {
  const folders = globSync('{apps,packages,tools,tools/kafka}/*/package.json', {
    cwd: root,
  }).map((path) => dirname(path))
  return kinds.flatMap((kind) =>
    folders
      .toSorted()
      .map((folder) => ({ folder, ...manifestOf(join(root, folder)) }))
      .filter(({ scripts }) => kind in scripts)
      .map(({ folder, name }) => {
        const report = readReport(join(root, folder, reportFile(kind)))
        return { name: `${basename(folder)} ${kind}`, folder, kind, task: `${name}#${kind}`, report }
      }),
  )
}

function manifestOf(folder: string): { readonly name: string; readonly scripts: object } {
  const { name, scripts = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return { name, scripts }
}
