/** `pnpm chaos RUN`: causes faults in the real services and checks the promises. Exit code 1: one is broken; 2: wrong usage. */
import { visible } from '@taproom/lines'
import { BEERS_USAGE, runBeersCommand, runOutageCommand } from '../src/beers/beers-command.ts'
import { CLIENTS_USAGE, runClientsCommand } from '../src/clients/clients-command.ts'
import { EVENTS_USAGE, runEventsCommand } from '../src/events/events-command.ts'
import { FILMS_USAGE, runFilmsCommand } from '../src/films/films-command.ts'
import { UsageError } from '../src/harness/arguments.ts'

const LAST_CHANCE_MS = 5000
const RUNS = new Map([
  ['beers', runBeersCommand],
  ['outage', runOutageCommand],
  ['clients', runClientsCommand],
  ['events', runEventsCommand],
  ['films', runFilmsCommand],
])

const USAGES = [BEERS_USAGE, CLIENTS_USAGE, EVENTS_USAGE, FILMS_USAGE]
const USAGE = `${USAGES.map((usage, index) => (index === 0 ? usage : usage.replace('usage:', '      '))).join('\n')}\n`

async function main(): Promise<void> {
  const [name = '', ...args] = process.argv.slice(2)
  if (name === '--help' || name === '-h') {
    process.stdout.write(USAGE)
    return
  }
  const run = RUNS.get(name)
  if (run === undefined) {
    process.stderr.write(name === '' ? USAGE : `no run "${visible(name)}"\n\n${USAGE}`)
    process.exitCode = 2
    return
  }
  const isKept = await run(args, (line) => process.stdout.write(`${visible(line)}\n`))
  if (!isKept) process.exitCode = 1
}

/** Whether the command line is wrong: by our rules, or by those of `parseArgs`. */
function isUsageError(error: unknown): boolean {
  if (error instanceof UsageError) return true
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
}

/** The message of an error with its causes and the errors it holds. */
function explain(error: unknown): string {
  if (error instanceof SuppressedError) return `${explain(error.suppressed)}\nand then ${explain(error.error)}`
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${explain(error.cause)}`
}

await main().catch((error: unknown) => {
  const shown = explain(error)
    .split('\n')
    .map((line) => visible(line))
  process.stderr.write(`${shown.join('\n')}\n`)
  process.exitCode = isUsageError(error) ? 2 : 1
})
// Open connections must not delay the exit.
setTimeout(() => process.exit(), LAST_CHANCE_MS).unref()
