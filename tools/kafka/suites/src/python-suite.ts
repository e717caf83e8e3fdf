import { join } from 'node:path'
import type { BrokerNeeds } from './broker-kind.ts'
import { cloneTag } from './git-source.ts'
import { needProgram, runProgram } from './program.ts'
import { LeftOutError, type Outcome, type Outcomes, type Suite, type SuiteRun } from './suite.ts'

export interface PythonSuiteOptions {
  readonly name: string
  readonly version: string
  /** With the tests; their tag is the version with a v. */
  readonly repository: string
  /** Packages that pip installs for the tests, the client included; paths are in the repository. */
  readonly packages: readonly string[]
  /** Files and folders with tests. */
  readonly tests: readonly string[]
  /** Further arguments of pytest. */
  readonly flags?: readonly string[]
  readonly env?: (run: SuiteRun) => Readonly<Record<string, string>>
  /** Makes of the repository what can be run here. */
  readonly arrange?: (folder: string) => Promise<void>
  readonly needs?: (folder: string, port: number) => Promise<BrokerNeeds>
}

const INSTALL_MS = 600_000
const RUN_MS = 45 * 60_000

/** Tests of a Python client: from its repository, with the client itself from the package index. */
export function pythonSuite(options: PythonSuiteOptions): Suite {
  const { name, version, repository, packages, tests, flags = [], env, arrange } = options
  return {
    name,
    version: `v${version}`,
    ...(options.needs !== undefined && { needs: options.needs }),
    async prepare(folder) {
      await cloneTag(repository, `v${version}`, folder)
      const venv = join(folder, '.venv')
      await needProgram('python3', ['-m', 'venv', venv], { timeoutMs: INSTALL_MS })
      const pip = join(venv, 'bin', 'pip')
      await needProgram(pip, ['install', '--quiet', ...packages], { cwd: folder, timeoutMs: INSTALL_MS })
      await arrange?.(folder)
    },
    async run(run) {
      const { folder, only, log } = run
      const python = join(folder, '.venv', 'bin', 'python')
      const reporting = ['-v', '--tb=short', '-p', 'no:cacheprovider', '--timeout=180']
      const args = ['-m', 'pytest', ...reporting, ...flags, ...(only ?? tests)]
      const runOptions = { cwd: folder, env: env?.(run) ?? {}, log, timeoutMs: RUN_MS }
      const { stdout, stderr } = await runProgram(python, args, runOptions)
      const outcomes = pytestOutcomes(stdout)
      if (outcomes.size === 0) throw new LeftOutError(`no test ran: ${`${stdout}${stderr}`.trim().split('\n').at(-1)}`)
      return outcomes
    },
  }
}

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  PASSED: 'passed',
  XPASS: 'passed',
  SKIPPED: 'skipped',
  XFAIL: 'skipped',
  FAILED: 'failed',
  ERROR: 'failed',
}

/** Reads the output of `pytest -v`: outcomes by the ids of tests. One that could not be torn down, or did not end, has failed. */
export function pytestOutcomes(lines: string): Outcomes {
  const outcomes = new Map<string, Outcome>()
  for (const [, test = '', word] of lines.matchAll(
    /^(\S+\.py::\S.*?)(?: (PASSED|XPASS|SKIPPED|XFAIL|FAILED|ERROR)\b.*| *)$/gm,
  )) {
    // Without a word it has begun, or its warnings are listed at the end.
    if (word !== undefined) outcomes.set(test, OUTCOMES[word] ?? 'failed')
    else if (!outcomes.has(test.trimEnd())) outcomes.set(test.trimEnd(), 'failed')
  }
  return outcomes
}
