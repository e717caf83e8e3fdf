/** `pnpm chaos RUN`: makes faults on the real services, checks the promises, and ends with 1 when one is broken. */
import { BEERS_USAGE, runBeersCommand, runOutageCommand } from '../src/beers/beers-command.ts'
import { CLIENTS_USAGE, runClientsCommand } from '../src/clients/clients-command.ts'
import { EVENTS_USAGE, runEventsCommand } from '../src/events/events-command.ts'
import { FILMS_USAGE, runFilmsCommand } from '../src/films/films-command.ts'

const LAST_CHANCE_MS = 5000
const RUNS = new Map([
  ['beers', runBeersCommand],
  ['outage', runOutageCommand],
  ['clients', runClientsCommand],
  ['events', runEventsCommand],
  ['films', runFilmsCommand],
])

async function main(): Promise<void> {
  const [name = '', ...args] = process.argv.slice(2)
  const run = RUNS.get(name)
  if (run === undefined)
    throw new RangeError(`no run "${name}"\n${BEERS_USAGE}\n${CLIENTS_USAGE}\n${EVENTS_USAGE}\n${FILMS_USAGE}`)
  const isKept = await run(args, (line) => process.stdout.write(`${line}\n`))
  if (!isKept) process.exitCode = 1
}

/** The message of an error, with what led to it and what it hides. */
function explain(error: unknown): string {
  if (error instanceof SuppressedError) return `${explain(error.suppressed)}\nand then ${explain(error.error)}`
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${explain(error.cause)}`
}

await main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
})
// A connection that does not end must not keep the answer from whoever waits for the exit code.
setTimeout(() => process.exit(), LAST_CHANCE_MS).unref()
