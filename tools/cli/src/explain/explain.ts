import { parseArgs } from 'node:util'
import type { Verdicts } from '@taproom/console/api'
import { reasonOf, visibleLines } from '@taproom/core/lines'
import { runningConsole } from '@taproom/start'
import { askConsole } from './ask-console.ts'
import { readPartFacts } from './part-facts.ts'
import { readPartRecords } from './part-records.ts'
import { recordsText } from './records-text.ts'
import { factsText, verdictsText } from './verdicts-text.ts'

const USAGE = `usage: pnpm explain [NAME] [--json]

Lists each unhealthy part of the running system with the problem, the evidence and the remedy.

  NAME    only of this service, topic, trigger, sink, broker, channel or manifest; also what a topic, broker or trigger is
          (who writes and reads, and the lag), its newest 20 log lines at warn and above, and its newest 10 traces that failed
  --json  print what GET /api/verdicts of the console answers; for NAME also "about", and "logs" and "traces" as GET /api/logs
          and GET /api/traces answer them
  --help  print this

The exit code is 1 when a part is broken or cannot be asked, or no part has this name. The command asks the system that
pnpm start runs with the same state folder (TAPROOM_STATE_DIR, default .taproom beside system.ts).
`

/** Prints the verdicts of the system of a folder, as `pnpm explain` does. Sets the exit code. */
export async function explain(args: readonly string[], root: string): Promise<void> {
  const options = readOptions(args)
  if (options === undefined) {
    process.stderr.write(USAGE)
    process.exitCode = 2
    return
  }
  if (options.help) return void process.stdout.write(USAGE)
  try {
    const console = await runningConsole(process.env, { cwd: process.cwd(), root })
    const { name } = options
    const verdicts = await askConsole<Verdicts>(console, '/api/verdicts', { name })
    const { parts = [] } = verdicts
    const about = await readPartFacts(console, parts)
    const [part] = parts
    const records = part === undefined ? undefined : await readPartRecords(console, part)
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ ...verdicts, ...(name !== undefined && { about }), ...records }, undefined, 2)}\n`
        : factsText(about) + verdictsText(verdicts) + (records === undefined ? '' : recordsText(records, console.url)),
    )
    const isBroken = verdicts.items.some(({ severity }) => severity === 'error')
    if (isBroken || Object.keys(verdicts.unknown).length > 0) process.exitCode = 1
  } catch (error) {
    process.stderr.write(`pnpm explain: ${visibleLines(reasonOf(error))}\n`)
    process.exitCode = 1
  }
}

/** Undefined for a command line that cannot be. */
function readOptions(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { json: flag, help: { ...flag, short: 'h' } },
      allowPositionals: true,
    })
    return positionals.length > 1 ? undefined : { ...values, name: positionals[0] }
  } catch {
    return undefined
  }
}
