/**
 * `pnpm test`: all tests but the long ones. `--long` runs those; `--watch` runs the tests that a change touches, until Ctrl-C, without those
 * that run the whole system. Other arguments are turbo's: `--filter NAME`.
 */
import { spawn } from 'node:child_process'
import { existsSync, globSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { backendHere } from '../src/backend.ts'
import { needsHere } from '../src/report/needs.ts'
import { addUp, summaryLines, timeLines } from '../src/report/summary.ts'
import { reportFile, type TestKind } from '../src/report/test-report.ts'
import { readRuns } from '../src/report/test-runs.ts'

const WORKSPACES = '{apps,packages,tools,tools/kafka}/*'
/** Code that Node compiled for tests, by `vitest.config.ts`; code of folders that tests made and removed stays in it. */
const COMPILED = 'node_modules/.cache/compiled-for-tests'
const MOST_COMPILED = 20_000
const DEAREST = 5

async function main(given: readonly string[]): Promise<void> {
  const has = (option: string) => given.includes(option)
  const rest = given.filter((argument) => argument !== '--watch' && argument !== '--long')
  if (existsSync(COMPILED) && readdirSync(COMPILED, { recursive: true }).length > MOST_COMPILED) {
    rmSync(COMPILED, { recursive: true, force: true })
  }
  if (has('--watch')) {
    console.log(
      'Left out while watching: the tests that run the whole system (test:system) and the long ones (test:long).',
    )
    await turbo(['watch', 'test', '--continue', '--output-logs=new-only', ...rest], (code) => {
      process.exitCode = code
    })
    return
  }
  const kinds: readonly TestKind[] = has('--long') ? ['test:long'] : ['test', 'test:system']
  for (const kind of kinds) for (const path of globSync(join(WORKSPACES, reportFile(kind)))) rmSync(path)
  await turbo(['run', ...kinds, '--continue', '--output-logs=new-only', ...rest], (code) => finish(kinds, rest, code))
}

/** Prints what the reports of all workspaces add up to. Turbo writes those of unchanged workspaces again. */
function finish(kinds: readonly TestKind[], rest: readonly string[], code: number): void {
  const runs = readRuns(process.cwd(), kinds)
  const reports = runs.flatMap(({ name, report }) => (report === undefined ? [] : [[name, report] as const]))
  const totals = addUp(reports.map(([, report]) => report))
  // With a filter, workspaces without a report are those that were not asked for.
  const missing = rest.length > 0 ? [] : runs.filter(({ report }) => report === undefined)
  const failed = [
    ...totals.failed,
    ...missing.map(({ folder, kind }) => ({ file: folder, reason: `${kind} ended without a report: see above` })),
  ]
  if (code !== 0 && failed.length === 0) failed.push({ file: 'turbo', reason: `it ended with ${code}: see above` })
  const long = kinds.includes('test:long') ? [] : ['the long tests: pnpm test:long runs them']
  console.log('\nThe most processor time:')
  for (const line of timeLines(reports).slice(0, DEAREST)) console.log(line)
  console.log(`\n${summaryLines({ ...totals, failed }, long).join('\n')}`)
  process.exitCode = exitCode(totals.failed.length, failed.length)
}

/** 1 when tests failed and nothing else did. */
function exitCode(failedTests: number, failed: number): number {
  if (failed === 0) return 0
  return failed === failedTests ? 1 : 2
}

async function turbo(args: readonly string[], end: (code: number) => void): Promise<void> {
  const env = {
    ...process.env,
    TAPROOM_TEST_BACKEND: process.env['TAPROOM_TEST_BACKEND'] ?? (await backendHere()),
    TAPROOM_TEST_NEEDS: needsHere().join(' '),
    // Vitest starts with compiled code, too: 0.2 s less in each workspace.
    NODE_COMPILE_CACHE: resolve(COMPILED),
  }
  const child = spawn('turbo', args, { stdio: 'inherit', shell: process.platform === 'win32', env })
  // Ctrl-C reaches turbo, too, and it ends in order; any other signal is passed on.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill())
  child.once('error', (error) => {
    process.stderr.write(`pnpm test: turbo cannot be run: ${error.message}\n`)
    process.exitCode = 1
  })
  child.once('exit', (code) => end(code ?? 1))
}

await main(process.argv.slice(2))
