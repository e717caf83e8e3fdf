/** `pnpm chaos RUN`: causes faults in the real services and checks the promises. Exit code 1: one is broken; 2: wrong usage. */
import { reasonWithCause, visible } from '@taproom/core/lines'
import { COMMANDS, USAGE } from '../src/chaos/commands.ts'
import { UsageError } from '../src/chaos/harness/options.ts'

const LAST_CHANCE_MS = 5000

async function main(): Promise<void> {
  const [name = '', ...args] = process.argv.slice(2)
  if (name === '--help' || name === '-h') {
    process.stdout.write(USAGE)
    return
  }
  if (!Object.hasOwn(COMMANDS, name))
    throw new UsageError(name === '' ? USAGE : `no run "${visible(name)}"\n\n${USAGE}`)
  const run = COMMANDS[name as keyof typeof COMMANDS]
  const isKept = await run(args, (line) => process.stdout.write(`${visible(line)}\n`))
  if (!isKept) process.exitCode = 1
}

/** The message of an error with its cause and the errors it holds. */
function explain(error: unknown): string {
  if (error instanceof SuppressedError) return `${explain(error.suppressed)}\nand then ${explain(error.error)}`
  return reasonWithCause(error)
}

await main().catch((error: unknown) => {
  process.stderr.write(
    `${explain(error)
      .trimEnd()
      .split('\n')
      .map((line) => visible(line))
      .join('\n')}\n`,
  )
  process.exitCode = error instanceof UsageError ? 2 : 1
})
// Open connections must not delay the exit.
setTimeout(() => process.exit(), LAST_CHANCE_MS).unref()
