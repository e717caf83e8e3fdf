import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'
import { readCpuTimes } from '../progress.ts'
import { describeNeeds } from './needs.ts'
import type { FailedTest, TestReport } from './test-report.ts'

const LONGEST_REASON = 600
const NO_REASON = 'a reason: they name none'

export interface TestReporterOptions {
  /** The folder of the repository. */
  readonly root: string
  /** The report, relative to the folder of the workspace. */
  readonly file: string
  /** Says what is wrong with a run whose tests have passed. Default: nothing is. */
  readonly check?: () => Promise<readonly string[]>
}

/** Writes a TestReport to a file in the folder of the workspace. */
export class TestReporter implements Reporter {
  readonly #options: TestReporterOptions
  #startedAt = 0

  constructor(options: TestReporterOptions) {
    this.#options = options
  }

  onTestRunStart(): void {
    this.#startedAt = performance.now()
  }

  async onTestRunEnd(modules: readonly TestModule[], errors: readonly { readonly message: string }[]): Promise<void> {
    const { root, file, check } = this.#options
    const found = (await check?.()) ?? []
    if (found.length > 0) process.exitCode = 1
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const failed = [
      ...modules.flatMap((module) => this.#failuresOf(module)),
      ...[...errors.map(({ message }) => message), ...found].map((message) => {
        return { file: relative(root, process.cwd()), reason: short(message) }
      }),
    ]
    const skipped: Record<string, number> = {}
    for (const test of tests) {
      if (test.result().state !== 'skipped') continue
      const reason = neededBy(test)
      skipped[reason] = (skipped[reason] ?? 0) + 1
    }
    const report: TestReport = {
      passed: tests.filter((test) => test.result().state === 'passed').length,
      failed,
      skipped,
      seconds: (performance.now() - this.#startedAt) / 1000,
      cpuSeconds: readCpuTimes()
        ?.values()
        .reduce((sum, seconds) => sum + seconds, 0),
    }
    writeFileSync(join(process.cwd(), file), `${JSON.stringify(report)}\n`)
  }

  #failuresOf(module: TestModule): FailedTest[] {
    const file = relative(this.#options.root, module.moduleId)
    const tests = [...module.children.allTests()]
    const suites = [module, ...module.children.allSuites()]
    return [
      ...suites.flatMap((suite) => suite.errors().map(({ message }) => ({ file, reason: short(message) }))),
      ...tests.flatMap((test) => {
        const { state, errors } = test.result()
        return state === 'failed' ? [{ file, test: test.fullName, reason: short(errors[0]?.message) }] : []
      }),
    ]
  }
}

function neededBy(test: TestCase): string {
  const { note } = { note: undefined, ...test.result() }
  if (note !== undefined) return note
  const hasFailedSetUp = [...parentsOf(test)].some((parent) => parent.errors().length > 0)
  return describeNeeds(test.tags) ?? (hasFailedSetUp ? 'their set-up, which failed' : NO_REASON)
}

function* parentsOf(test: TestCase): Generator<TestSuite | TestModule> {
  for (let at: TestSuite | TestModule = test.parent; ; at = at.parent) {
    yield at
    if (at.type === 'module') return
  }
}

/** The text above the stack. */
function short(message = ''): string {
  const [text = ''] = message.split(/\n\s+at /)
  return text.replaceAll('\n', ' ').slice(0, LONGEST_REASON)
}
