/**
 * `pnpm bench [area…]`: measures ours beside peers in one run, and prints rates, ratios and budgets. With `--compare`, beside another
 * version of this repository; with `--growth`, at 1, 10 and 100 times a size. The README says what exit codes mean.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { AREAS, ONLY_NAMED } from '../src/bench/areas.ts'
import { benchAreas } from '../src/bench/bench-areas.ts'
import { chart } from '../src/bench/growth/chart.ts'
import { measureCurve, type OpenCurve } from '../src/bench/growth/curve.ts'
import { CURVES } from '../src/bench/growth/curves.ts'
import { withChart } from '../src/bench/growth/readme-charts.ts'
import { type Command, readCommand } from '../src/bench/options.ts'
import { compareVersions } from '../src/bench/versions/compare-versions.ts'
import { commitOf, measureVersion, openVersion, RunError } from '../src/bench/versions/version.ts'
import { REPOSITORY } from '../src/harness/apps.ts'
import { runCommand } from '../src/harness/command-line.ts'

const ROOT = fileURLToPath(REPOSITORY)
const README = new URL('../src/bench/README.md', import.meta.url)
const REF_FAILED = 3

type GrowthCommand = Command & { readonly kind: 'growth' }

const print = (text: string) => void process.stdout.write(text)
const note = (text: string) => void process.stderr.write(text)

async function benchVersions({ ref, names: areas, rounds }: Command & { kind: 'compare' }): Promise<boolean> {
  const interrupt = new AbortController()
  // Each time: Ctrl-C reaches this process from the terminal and from pnpm.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => interrupt.abort(new Error(`interrupted by ${signal}`)))
  }
  const options = { env: process.env, signal: interrupt.signal }
  const commit = await commitOf(ROOT, ref)
  await using opened = new AsyncDisposableStack()
  const theirs = await openVersion({ repository: ROOT, ref, commit }, opened, options)
  const ours = { name: 'this work tree', folder: ROOT, isRef: false }
  const versions = {
    ref,
    older: (area: string) => measureVersion(theirs, area, options),
    newer: (area: string) => measureVersion(ours, area, options),
  }
  await compareVersions(versions, { areas, rounds, print })
  return true
}

async function benchCurve(name: string, open: OpenCurve, { rounds, isWritten }: GrowthCommand): Promise<boolean> {
  await using opened = new AsyncDisposableStack()
  const growth = await measureCurve(await open(opened), rounds)
  const text = chart(growth)
  print(`${name}\n${text}\n\n`)
  if (isWritten) await writeFile(README, withChart(await readFile(README, 'utf8'), name, text))
  return growth.verdict !== 'WORSE THAN LINEAR'
}

async function benchGrowth(command: GrowthCommand): Promise<boolean> {
  let hold = true
  for (const name of command.names) {
    const open = CURVES[name]
    if (open !== undefined) hold = (await benchCurve(name, open, command)) && hold
  }
  return hold
}

async function run(command: Command): Promise<boolean> {
  if (command.kind === 'areas') return await benchAreas(AREAS, command, { print, note })
  return command.kind === 'compare' ? await benchVersions(command) : await benchGrowth(command)
}

const known = { areas: Object.keys(AREAS), onlyNamed: ONLY_NAMED, curves: Object.keys(CURVES) }

await runCommand(
  (args) => run(readCommand(args, known)),
  (error) => (error instanceof RunError && error.isRef ? REF_FAILED : 1),
)
