import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrokerNeeds } from './broker-kind.ts'
import { needProgram, runProgram } from './program.ts'
import { LeftOutError, type Outcome, type Outcomes, type Suite, type SuiteRun } from './suite.ts'

export interface GoSuiteOptions {
  readonly name: string
  readonly module: string
  readonly version: string
  /** With the tests, in the module. */
  readonly package: string
  /** Names of the tests among others in the package; default: all. */
  readonly tests?: (folder: string) => Promise<readonly string[]>
  /** Further arguments of `go test`. */
  readonly flags?: readonly string[]
  readonly env: (bootstrapServers: string) => Readonly<Record<string, string>>
  readonly needs?: BrokerNeeds
}

const DOWNLOAD_MS = 300_000
const RUN_MS = 15 * 60_000

/** The tests of a Go module, which the module proxy has with its sources. What is in its folder `bin` they find first. */
export function goSuite({
  name,
  module,
  version,
  package: path,
  tests,
  flags = [],
  env,
  needs = {},
}: GoSuiteOptions): Suite {
  return {
    name,
    version,
    needs: () => needs,
    async prepare(folder) {
      const { code, stdout } = await runProgram('go', ['mod', 'download', '-json', `${module}@${version}`], {
        env: { GOFLAGS: '-mod=mod' },
        timeoutMs: DOWNLOAD_MS,
      })
      const { Dir: source, Error: error } = JSON.parse(stdout || '{}') as { Dir?: string; Error?: string }
      if (code !== 0 || source === undefined)
        throw new LeftOutError(`the module cannot be had: ${error ?? 'no answer'}`)
      // The module cache cannot be written to, and go may have to complete go.sum.
      await cp(source, folder, { recursive: true })
      await runProgram('chmod', ['-R', 'u+w', folder], { timeoutMs: DOWNLOAD_MS })
      await needProgram('go', ['mod', 'download'], { cwd: folder, timeoutMs: DOWNLOAD_MS })
    },
    async run({ folder, brokers, only, log }: SuiteRun) {
      const args = [
        'test',
        '-json',
        '-count=1',
        `-timeout=${RUN_MS / 1000}s`,
        ...flags,
        ...chosen(only ?? (await tests?.(folder))),
        path,
      ]
      const goEnv = { GOFLAGS: '-mod=mod', ...env(brokers.bootstrapServers) }
      const options = { cwd: folder, env: goEnv, programs: join(folder, 'bin'), log, timeoutMs: RUN_MS }
      const { stdout, stderr } = await runProgram('go', args, options)
      const outcomes = goOutcomes(stdout)
      if (outcomes.size === 0) throw new LeftOutError(`no test ran: ${stderr.trim().split('\n').at(-1)}`)
      return outcomes
    },
  }
}

/** Go runs a test alone by the first part of its name. */
function chosen(tests: readonly string[] | undefined): readonly string[] {
  if (tests === undefined) return []
  const names = new Set(tests.map((test) => test.split('/')[0]))
  return ['-run', `^(${[...names].join('|')})$`]
}

const OUTCOMES: Readonly<Record<string, Outcome>> = { pass: 'passed', fail: 'failed', skip: 'skipped' }

/** Reads the output of `go test -json`. A test that a panic left without an outcome has failed. */
export function goOutcomes(lines: string): Outcomes {
  const outcomes = new Map<string, Outcome>()
  for (const line of lines.split('\n')) {
    if (!line.startsWith('{')) continue
    const { Action: action = '', Test: test } = JSON.parse(line) as { Action?: string; Test?: string }
    if (test === undefined) continue
    if (action === 'run') outcomes.set(test, 'failed')
    const outcome = OUTCOMES[action]
    if (outcome !== undefined) outcomes.set(test, outcome)
  }
  return outcomes
}
