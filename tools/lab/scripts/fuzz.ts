/** `pnpm fuzz [surface…]`: hostile input for every surface. Exit code 1: something was found; 2: wrong usage. */
import { readArguments, USAGE, UsageError } from '../src/fuzz/arguments.ts'

const LAST_CHANCE_MS = 5000

async function main(): Promise<void> {
  const options = readArguments(process.argv.slice(2))
  const write = (line: string) => void process.stdout.write(`${line}\n`)
  if (options.help) return write(USAGE)
  // Loads every surface: a wrong command line needs none.
  const { fuzz } = await import('../src/fuzz/fuzz.ts')
  if (!(await fuzz(options, write))) process.exitCode = 1
}

await main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof UsageError ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
  )
  process.exitCode = error instanceof UsageError ? 2 : 1
})
// Open connections must not delay the exit.
setTimeout(() => process.exit(), LAST_CHANCE_MS).unref()
