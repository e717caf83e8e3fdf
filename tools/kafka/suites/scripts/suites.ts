/** `pnpm suites [--logs DIR] [--readme] [NAME]…`: runs them on both brokers. Exit code 1: not all is compared and the same or explained; 2: usage. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { reasonWithCause, visible } from '@taproom/core/lines'
import { APACHE, EMBEDDED } from '../src/brokers.ts'
import { type Entry, report, withResults } from '../src/report.ts'
import { runSuite } from '../src/run-suite.ts'
import { LeftOutError, type Suite } from '../src/suite.ts'
import { SUITES } from '../src/suites.ts'

const README = new URL('../README.md', import.meta.url)

const say = (line: string) => void process.stderr.write(`${visible(line)}\n`)

async function main(): Promise<void> {
  const options = chosen()
  if (options === undefined) return
  const entries: Entry[] = []
  for (const suite of options.suites) entries.push([suite, await runOrReason(suite, options.logs)])
  const date = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length)
  const { text, isGood } = report(entries, date)
  process.stdout.write(`${text}\n`)
  if (options.isForReadme) await writeReadme(entries, date)
  if (!isGood) process.exitCode = 1
}

async function writeReadme(entries: readonly Entry[], date: string): Promise<void> {
  const names = SUITES.map(({ name }) => name)
  await writeFile(README, withResults(await readFile(README, 'utf8'), entries, { names, date }))
}

interface Options {
  readonly suites: readonly Suite[]
  /** A folder for what the tests print; undefined: it is not kept. */
  readonly logs: string | undefined
  /** True: the table goes into the README. */
  readonly isForReadme: boolean
}

function chosen(): Options | undefined {
  const names = SUITES.map(({ name }) => name)
  const usage = `pnpm suites [--logs DIR] [--readme] [NAME]…: all, or some of ${names.join(', ')}`
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' }, logs: { type: 'string' }, readme: { type: 'boolean' } },
    })
    const unknown = positionals.find((name) => !names.includes(name))
    if (unknown !== undefined) throw new RangeError(`no suite "${unknown}"`)
    const suites = SUITES.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
    if (values.help !== true) return { suites, logs: values.logs, isForReadme: values.readme === true }
    process.stdout.write(`${usage}\n`)
  } catch (error) {
    say(`${reasonWithCause(error)}\n${usage}`)
    process.exitCode = 2
  }
  return undefined
}

async function runOrReason(suite: Suite, kept: string | undefined): Promise<Entry[1]> {
  const folder = await mkdtemp(join(tmpdir(), 'taproom-suite-'))
  const logs = kept === undefined ? join(folder, 'logs') : resolve(kept)
  try {
    await mkdir(logs, { recursive: true })
    return await runSuite(suite, { folder: join(folder, 'suite'), logs, say, kinds: [EMBEDDED, APACHE] })
  } catch (error) {
    if (error instanceof LeftOutError) return error.message
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

await main().catch((error: unknown) => {
  say(reasonWithCause(error))
  process.exitCode = 1
})
