import { cp } from 'node:fs/promises'
import { MissingProgramError, type ProgramOptions, type ProgramResult, runProgram } from './program.ts'
import { LeftOutError, type Outcome, type Outcomes, type Suite } from './suite.ts'

export interface GoSuiteOptions {
  readonly name: string
  readonly module: string
  readonly version: string
  /** With the tests, in the module. */
  readonly package: string
  readonly env: (bootstrapServers: string) => Readonly<Record<string, string>>
}

const DOWNLOAD_MS = 300_000
const RUN_MS = 15 * 60_000

/** The tests of a Go module, which the module proxy has with its sources. */
export function goSuite({ name, module, version, package: path, env }: GoSuiteOptions): Suite {
  return {
    name,
    version,
    async prepare(folder) {
      const { code, stdout } = await go(['mod', 'download', '-json', `${module}@${version}`], {
        env: { GOFLAGS: '-mod=mod' },
        timeoutMs: DOWNLOAD_MS,
      })
      const { Dir: source, Error: error } = JSON.parse(stdout || '{}') as { Dir?: string; Error?: string }
      if (code !== 0 || source === undefined)
        throw new LeftOutError(`the module cannot be had: ${error ?? 'no answer'}`)
      // The module cache cannot be written to, and go may have to complete go.sum.
      await cp(source, folder, { recursive: true })
      await runProgram('chmod', ['-R', 'u+w', folder], { timeoutMs: DOWNLOAD_MS })
      await go(['mod', 'download'], { cwd: folder, timeoutMs: DOWNLOAD_MS })
    },
    async run(folder, bootstrapServers, only) {
      const chosen = only === undefined ? [] : ['-run', `^(${only.join('|')})$`]
      const args = ['test', '-json', '-count=1', `-timeout=${RUN_MS / 1000}s`, ...chosen, path]
      const options = { cwd: folder, env: { GOFLAGS: '-mod=mod', ...env(bootstrapServers) }, timeoutMs: RUN_MS }
      const { stdout, stderr } = await go(args, options)
      const outcomes = goOutcomes(stdout)
      if (outcomes.size === 0) throw new LeftOutError(`no test ran: ${stderr.trim().split('\n').at(-1)}`)
      return outcomes
    },
  }
}

async function go(args: readonly string[], options: ProgramOptions): Promise<ProgramResult> {
  try {
    return await runProgram('go', args, options)
  } catch (error) {
    if (error instanceof MissingProgramError) throw new LeftOutError('there is no Go')
    throw error
  }
}

const OUTCOMES: Readonly<Record<string, Outcome>> = { pass: 'passed', fail: 'failed', skip: 'skipped' }

/** What `go test -json` printed. A test that a panic left without an outcome has failed. */
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
