/**
 * `pnpm bench [area…]`: measures ours beside peers in one run, and prints rates, ratios and budgets. With `--compare`, beside another
 * version of this repository. The README says what exit codes mean.
 */
import { fileURLToPath } from 'node:url'
import type { OpenArea } from '../src/area.ts'
import { AREAS, ONLY_NAMED } from '../src/areas.ts'
import { compare } from '../src/compare.ts'
import { type Command, DEFAULT_ROUNDS, readCommand, UsageError } from '../src/options.ts'
import { measureOurs } from '../src/samples.ts'
import { table } from '../src/table.ts'
import { compareVersions } from '../src/versions/compare-versions.ts'
import { commitOf, measureVersion, openVersion, RunError } from '../src/versions/version.ts'

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url))
const EXIT = { failed: 1, wrongUsage: 2, refFailed: 3 }

const print = (text: string) => void process.stdout.write(text)

async function benchArea(name: string, open: OpenArea, command: Command & { kind: 'areas' }): Promise<boolean> {
  await using opened = new AsyncDisposableStack()
  const area = await open(opened)
  const rounds = command.rounds ?? area.rounds ?? DEFAULT_ROUNDS
  if (command.isJson) {
    for (const samples of await measureOurs(name, area, rounds)) print(`${JSON.stringify(samples)}\n`)
    return true
  }
  const results = await compare(area.rows, rounds)
  print(`${name}, ${rounds} rounds\n${table(area.unit, results)}\n`)
  return results.every(({ verdict }) => verdict !== 'MISSED')
}

async function benchAreas(command: Command & { kind: 'areas' }): Promise<boolean> {
  let hold = true
  for (const name of command.names) {
    const open = AREAS[name]
    if (open !== undefined) hold = (await benchArea(name, open, command)) && hold
  }
  return hold
}

async function benchVersions({ ref, names: areas, rounds }: Command & { kind: 'compare' }): Promise<boolean> {
  const interrupt = new AbortController()
  // Each time: Ctrl-C reaches this process from the terminal and from pnpm.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => interrupt.abort(new Error(`interrupted by ${signal}`)))
  }
  const options = { env: process.env, signal: interrupt.signal }
  const commit = await commitOf(REPOSITORY, ref)
  await using opened = new AsyncDisposableStack()
  const theirs = await openVersion({ repository: REPOSITORY, ref, commit }, opened, options)
  const ours = { name: 'this work tree', folder: REPOSITORY, isRef: false }
  const versions = {
    ref,
    older: (area: string) => measureVersion(theirs, area, options),
    newer: (area: string) => measureVersion(ours, area, options),
  }
  await compareVersions(versions, { areas, rounds, print })
  return true
}

async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2), { areas: Object.keys(AREAS), onlyNamed: ONLY_NAMED })
  const hold = command.kind === 'areas' ? await benchAreas(command) : await benchVersions(command)
  if (!hold) process.exitCode = EXIT.failed
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  if (error instanceof UsageError) process.exitCode = EXIT.wrongUsage
  else process.exitCode = error instanceof RunError && error.isRef ? EXIT.refFailed : EXIT.failed
})
