/** `pnpm suites [NAME]…`: runs them on both brokers. Exit code 1: a difference that nobody has explained; 2: wrong usage. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { reasonWithCause, visible } from '@taproom/lines'
import { type Entry, report } from '../src/report.ts'
import { runSuite } from '../src/run-suite.ts'
import { LeftOutError, type Suite } from '../src/suite.ts'
import { SUITES } from '../src/suites.ts'

const say = (line: string) => void process.stderr.write(`${visible(line)}\n`)

async function main(): Promise<void> {
  const suites = chosen()
  if (suites === undefined) return
  const entries: Entry[] = []
  for (const suite of suites) entries.push([suite, await runOrReason(suite)])
  const { text, isExplained } = report(entries)
  process.stdout.write(`${text}\n`)
  if (!isExplained) process.exitCode = 1
}

function chosen(): readonly Suite[] | undefined {
  const names = SUITES.map(({ name }) => name)
  const usage = `pnpm suites [NAME]…: all, or some of ${names.join(', ')}`
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' } },
    })
    const unknown = positionals.find((name) => !names.includes(name))
    if (unknown !== undefined) throw new RangeError(`no suite "${unknown}"`)
    if (values.help !== true) return SUITES.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
    process.stdout.write(`${usage}\n`)
  } catch (error) {
    say(`${reasonWithCause(error)}\n${usage}`)
    process.exitCode = 2
  }
  return undefined
}

async function runOrReason(suite: Suite): Promise<Entry[1]> {
  const folder = await mkdtemp(join(tmpdir(), 'taproom-suite-'))
  try {
    return await runSuite(suite, folder, say)
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
