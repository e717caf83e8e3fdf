import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrokerNeeds } from './broker-kind.ts'
import { replacePorts, type WrittenPorts } from './ports.ts'
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
  readonly env: (run: SuiteRun) => Readonly<Record<string, string>>
  readonly needs?: (port: number) => BrokerNeeds
  /** Ports in the module, its client's default included, and where theirs are here. */
  readonly ports?: WrittenPorts
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
  needs,
  ports,
}: GoSuiteOptions): Suite {
  return {
    name,
    version,
    needs: (_folder, port) => needs?.(port) ?? {},
    async prepare(folder, first) {
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
      if (ports !== undefined) await replacePorts(folder, await goFiles(folder), { ports, first })
      await needProgram('go', ['mod', 'download'], { cwd: folder, timeoutMs: DOWNLOAD_MS })
    },
    async expected(folder) {
      const names = await tests?.(folder)
      if (names !== undefined) return names
      const listing = ['test', ...flags, '-list', '^Test', path]
      const options = { cwd: folder, env: { GOFLAGS: '-mod=mod' }, timeoutMs: RUN_MS }
      return (await needProgram('go', listing, options)).split('\n').filter((line) => line.startsWith('Test'))
    },
    async run(run: SuiteRun) {
      const { folder, only, log } = run
      const goEnv = { GOFLAGS: '-mod=mod', ...env(run) }
      const options = { cwd: folder, env: goEnv, programs: join(folder, 'bin'), log, timeoutMs: RUN_MS }
      const outcomes = new Map<string, Outcome>()
      let problem = ''
      for (const names of only === undefined ? [await tests?.(folder)] : topLevel(only).map((name) => [name])) {
        const chosen = names === undefined ? [] : ['-run', `^(${names.join('|')})$`]
        const args = ['test', '-json', '-count=1', `-timeout=${RUN_MS / 1000}s`, ...flags, ...chosen, path]
        const { stdout, stderr } = await runProgram('go', args, options)
        for (const [test, outcome] of goOutcomes(stdout)) outcomes.set(test, outcome)
        problem = stderr.trim().split('\n').at(-1) ?? ''
      }
      if (outcomes.size === 0) throw new LeftOutError(`no test ran: ${problem}`)
      return outcomes
    },
  }
}

async function goFiles(folder: string): Promise<readonly string[]> {
  return (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.go'))
}

/** Go runs a test alone by the first part of its name. Each has a process of its own, so that a panic ends no other one. */
function topLevel(tests: readonly string[]): readonly string[] {
  return [...new Set(tests.map((test) => test.split('/')[0] ?? test))]
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
